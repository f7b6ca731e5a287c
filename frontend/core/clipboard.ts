// Copies text to the clipboard. Browsers allow that over HTTPS and on localhost only.

export async function copy(text: string): Promise<void> {
  if (!navigator.clipboard) throw new Error('Copying works only over HTTPS or on localhost.')
  await navigator.clipboard.writeText(text)
}
