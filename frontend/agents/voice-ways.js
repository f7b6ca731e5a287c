// By which way speech can become text in this browser, and what follows from an error. Pure.

export const NEEDS_SECURE = 'the browser gives the microphone only to pages over https or on this machine'
// After these the same microphone may still work for a recording: it was the service that failed.
const SERVICE_FAILED = new Set(['network', 'service-not-allowed', 'language-not-supported', 'start'])
const WORDS = {
  'not-allowed': 'the microphone was not allowed: allow it in the address bar of the browser',
  'audio-capture': 'no microphone was found',
  'no-speech': 'nothing was heard',
  network: "the browser's own service for speech cannot be reached",
  'service-not-allowed': 'the browser does not allow its service for speech here',
  'language-not-supported': "the browser's service for speech does not know this language",
  start: 'the browser could not begin to listen',
}
// getUserMedia has names of its own for the same troubles.
const DEVICE = { NotAllowedError: 'not-allowed', NotFoundError: 'audio-capture', NotReadableError: 'audio-capture' }

/**
 * `browser` is `{speech, recorder, secure}`; `server` is `GET /api/voice`, `{available, reason}`.
 * Returns the ways in the order to try them, and why there is none.
 */
export function waysToListen(browser, server) {
  if (!browser.secure) return { ways: [], reason: NEEDS_SECURE }
  const ways = [...(browser.speech ? ['speech'] : []), ...(browser.recorder && server.available ? ['recorder'] : [])]
  return { ways, reason: ways.length ? '' : `this browser does not write speech down, and ${server.reason}` }
}

/** The way to go on by itself after `error` in the first of `ways`, or none. */
export function wayAfter(error, ways) {
  return SERVICE_FAILED.has(error) ? ways.slice(1) : []
}

/** What to say of an error when there is no way on; `reason` is the server's. */
export function problemWords(error, reason = '') {
  const words = WORDS[DEVICE[error] ?? error] ?? `listening failed: ${error}`
  return SERVICE_FAILED.has(error) && reason ? `${words}, and ${reason}` : words
}
