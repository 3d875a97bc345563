/** Saves a file on the device. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The click has started the download long before.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
