// Keeps the terminal silent: what a program asks of it, tmux has answered already.
// A second answer from here would arrive as typed keys. Not about keys, pastes and clicks.

// xterm.js 6.0 answers the first six; the others are asked by programs and answered by other
// terminals, so that an update of the library does not make it talk.
const CSI_QUERIES = [
  { final: 'c' }, // DA1
  { prefix: '>', final: 'c' }, // DA2
  { final: 'n' }, // DSR, CPR
  { prefix: '?', final: 'n' }, // DECDSR, DECXCPR, colour scheme
  { intermediates: '$', final: 'p' }, // DECRQM, ANSI modes
  { prefix: '?', intermediates: '$', final: 'p' }, // DECRQM, private modes
  { prefix: '>', final: 'q' }, // XTVERSION
  { prefix: '=', final: 'c' }, // DA3
  { prefix: '?', final: 'u' }, // kitty keyboard flags
  { prefix: '?', final: 'S' }, // XTSMGRAPHICS
  { prefix: '?', final: 'm' }, // XTQMODKEYS
  { final: 'x' }, // DECREQTPARM
  { intermediates: '*', final: 'y' }, // DECRQCRA
  { intermediates: '$', final: 'w' }, // DECRQPSR
  { intermediates: '$', final: 'u' }, // DECRQTSR
  { intermediates: '&', final: 'u' }, // DECRQUPSS
]
const DCS_QUERIES = [
  { intermediates: '$', final: 'q' }, // DECRQSS
  { intermediates: '+', final: 'q' }, // XTGETTCAP
]
const COLOUR_COMMANDS = [4, 5, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 21]
const CLIPBOARD_COMMAND = 52
// State, place, pixels, cells, icon title, title: the window operations that are questions.
// xterm.js answers some of them once an option allows it; ours stays off.
const WINDOW_REPORTS = new Set([11, 13, 14, 15, 16, 18, 19, 20, 21])
const FOCUS_MODE = 1004
const FOCUS_REPORTS = new Set(['\x1b[I', '\x1b[O'])
// Base64 of what a program may offer to the clipboard; tmux itself stops at about the same.
export const CLIPBOARD_LIMIT = 1024 * 1024

/**
 * Hooks the parser of `terminal`. `onClipboardWrite(text)` is told what a program offers to the
 * clipboard; nothing is written from here. Returns `isReport(data)`: whether what the terminal is
 * about to send is an answer of its own.
 */
export function silenceQueries(terminal, onClipboardWrite) {
  const { parser } = terminal
  const swallow = () => true
  for (const id of CSI_QUERIES) parser.registerCsiHandler(id, swallow)
  for (const id of DCS_QUERIES) parser.registerDcsHandler(id, swallow)
  for (const command of COLOUR_COMMANDS) parser.registerOscHandler(command, asksForColour)
  parser.registerEscHandler({ final: 'Z' }, swallow) // DECID
  parser.registerCsiHandler({ final: 't' }, ([operation]) => WINDOW_REPORTS.has(operation))
  parser.registerOscHandler(CLIPBOARD_COMMAND, (data) => {
    const text = clipboardOffer(data)
    if (text) onClipboardWrite(text)
    return true
  })
  return muteFocusMode(parser)
}

/** Colour commands take lists, and `?` anywhere among them is a question. */
export function asksForColour(data) {
  return data.split(';').includes('?')
}

/** The text that OSC 52 wants to write; empty for a read, and for what is no text or too long. */
export function clipboardOffer(data) {
  const encoded = data.slice(data.indexOf(';') + 1)
  if (encoded === '?' || encoded.length > CLIPBOARD_LIMIT) return ''
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return ''
  }
}

/**
 * Switching focus reports on makes xterm.js report at once, and every snapshot switches them on
 * again. Only a person who comes or goes is worth a report.
 */
function muteFocusMode(parser) {
  let muted = false
  parser.registerCsiHandler({ prefix: '?', final: 'h' }, (params) => {
    if (params.includes(FOCUS_MODE)) {
      muted = true
      // The built-in handler reports in this very task; a real focus event is a task of its own.
      queueMicrotask(() => { muted = false })
    }
    return false
  })
  return (data) => muted && FOCUS_REPORTS.has(data)
}
