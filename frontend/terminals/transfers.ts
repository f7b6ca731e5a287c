// Files or text dropped on the terminal or pasted into it. The element uploads the files and types the text.

interface Receiver {
  onFiles(files: File[]): void
  onText(text: string): void
}

/** Calls `onFiles(files)` or `onText(text)` for every drop and paste on `element`. */
export function listenForTransfers(element: HTMLElement, { onFiles, onText }: Receiver): void {
  element.addEventListener('dragover', (event) => {
    // Required to allow a drop.
    if (hasFiles(event.dataTransfer)) event.preventDefault()
  })
  element.addEventListener('drop', (event) => {
    if (!hasFiles(event.dataTransfer)) return
    // Otherwise the browser opens the file.
    event.preventDefault()
    onFiles([...event.dataTransfer.files])
  })
  // In the capture phase: before xterm.js, which pastes text unfiltered.
  element.addEventListener(
    'paste',
    (event) => {
      event.preventDefault()
      event.stopPropagation()
      const files = pastedFiles(event.clipboardData)
      const text = plainPaste(event.clipboardData?.getData('text/plain') ?? '')
      if (files.length) onFiles(files)
      else if (text) onText(text)
    },
    { capture: true },
  )
}

function hasFiles(transfer: DataTransfer | null): transfer is DataTransfer {
  return transfer?.types.includes('Files') ?? false
}

/** What is needed of a DataTransfer. */
interface Clipboard<Item> {
  getData(type: string): string
  readonly files: Iterable<Item>
}

/** The pasted files. Office programs add an image to copied text; then the text is pasted. */
export function pastedFiles<Item = File>(clipboard: Clipboard<Item> | null): Item[] {
  if (!clipboard || clipboard.getData('text/plain')) return []
  return [...clipboard.files]
}

/**
 * Removes control characters except tabs and line ends: an `ESC[201~` in the text would end the bracketed
 * paste, and the program would treat the rest as typed keys.
 */
export function plainPaste(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what is removed
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '')
}
