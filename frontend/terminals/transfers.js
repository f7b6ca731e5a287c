// What a person drops on the terminal or pastes into it: files, or text.
// Not what becomes of it: the element uploads the one and types the other.

/** Calls `onFiles(files)` or `onText(text)` for every drop and paste on `place`. */
export function listenForTransfers(place, { onFiles, onText }) {
  place.addEventListener('dragover', (event) => {
    if (carriesFiles(event.dataTransfer)) event.preventDefault() // without it nothing can be dropped
  })
  place.addEventListener('drop', (event) => {
    if (!carriesFiles(event.dataTransfer)) return
    event.preventDefault() // the browser would open the file instead of the page
    onFiles([...event.dataTransfer.files])
  })
  // In front of xterm.js, which takes the text of every paste as it is.
  place.addEventListener('paste', (event) => {
    event.preventDefault()
    event.stopPropagation()
    const files = pastedFiles(event.clipboardData)
    const text = plainPaste(event.clipboardData?.getData('text/plain') ?? '')
    if (files.length) onFiles(files)
    else if (text) onText(text)
  }, { capture: true })
}

function carriesFiles(transfer) {
  return Boolean(transfer) && [...transfer.types].includes('Files')
}

/** A paste that is meant as files. Office programs put a picture beside the text: the text wins. */
export function pastedFiles(clipboard) {
  if (!clipboard || clipboard.getData('text/plain')) return []
  return [...clipboard.files]
}

/**
 * Text without control characters but tab and line ends: an `ESC[201~` inside of it would end the
 * bracketed paste, and the program would take the rest for typed keys.
 */
export function plainPaste(text) {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '')
}
