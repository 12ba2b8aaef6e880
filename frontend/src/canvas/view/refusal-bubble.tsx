import { Bubble } from './bubble';
import { takeFix } from './connect-actions';
import { useEditor, useEditorStore } from './store';

/** Why a wire between layers was refused. */
export function RefusalBubble() {
  const store = useEditorStore();
  const refused = useEditor((state) => state.refused);
  if (!refused) return null;
  return (
    <Bubble
      {...refused.refusal}
      at={refused.at}
      onTake={(fix) => takeFix(store, refused, fix)}
      onClose={() => store.getState().refuse(null)}
    />
  );
}
