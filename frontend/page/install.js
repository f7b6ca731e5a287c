// The page as an app of the device: the worker that answers when the network does not, and the
// browser's offer to install. Asks nobody by itself.
import { scriptAddress } from './trusted.js'

let offer = null // of the browser; good for one question

export const canInstall = () => offer !== null

/** Asks the person; the browser's own dialog. */
export async function install() {
  const asked = offer
  offer = null
  await asked?.prompt()
}

/** Once the page has loaded: what a person waits for comes first. */
export function registerWorker() {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault() // no banner: the palette and the menu offer it
    offer = event
  })
  addEventListener('appinstalled', () => { offer = null })
  if (document.readyState === 'complete') return start()
  addEventListener('load', start, { once: true })
}

function start() {
  // Without TLS, or in a private window, there is none; the page works all the same.
  navigator.serviceWorker?.register(scriptAddress('/sw.js')).catch(() => {})
}
