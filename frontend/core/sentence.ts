// Makes a sentence of an error message, to be shown before or after other sentences. Pure.

export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`.replace(/([.!?…])\.$/, '$1')
}
