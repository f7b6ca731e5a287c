// Puts text on the clipboard. Browsers allow it over https and on localhost only.

export async function copy(text) {
  if (!navigator.clipboard) throw new Error('the browser lets only https pages and localhost copy')
  await navigator.clipboard.writeText(text)
}
