/** Free and total slots by device, and how many jobs wait. */
export function DeviceStrip() {
  return <div className="devices" />;
}
