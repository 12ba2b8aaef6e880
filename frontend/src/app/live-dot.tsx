/** Whether news from the server arrives. */
export function LiveDot() {
  return <span className="live" />;
}
