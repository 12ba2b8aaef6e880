import { Bubble } from '../view/bubble';
import { useVertex, useVertexStore } from './store';

/** Why a wire between operations was refused. */
export function VertexBubble() {
  const store = useVertexStore();
  const refused = useVertex((state) => state.refused);
  if (!refused) return null;
  const close = () => store.getState().refuse(null);
  return (
    <Bubble
      {...refused.verdict}
      at={refused.at}
      onTake={(fix) => {
        close();
        void store.getState().edit(fix.edits, fix.label);
      }}
      onClose={close}
    />
  );
}
