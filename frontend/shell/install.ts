// The page as an installed app: registers the service worker for offline use, and keeps the browser's
// install prompt until the user chooses to install.
import { scriptAddress } from '../core/trusted'

/** Of Chromium; not in the standard. */
interface InstallPromptEvent extends Event {
  prompt(): Promise<unknown>
}

declare global {
  interface WindowEventMap {
    beforeinstallprompt: InstallPromptEvent
  }
}

// Of the browser; usable once.
let installPrompt: InstallPromptEvent | null = null

export const canInstall = (): boolean => installPrompt !== null

/** Shows the install dialog of the browser. */
export async function install(): Promise<void> {
  const prompt = installPrompt
  installPrompt = null
  await prompt?.prompt()
}

/** Registers after the page has loaded, so that it does not compete with the first paint. */
export function registerWorker(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault() // no banner: the palette and the menu have an action for it
    installPrompt = event
  })
  addEventListener('appinstalled', () => {
    installPrompt = null
  })
  if (document.readyState === 'complete') return start()
  addEventListener('load', start, { once: true })
}

function start(): void {
  // Unavailable without TLS or in a private window; the page works without it.
  navigator.serviceWorker?.register(scriptAddress('/sw.js')).catch(() => {})
}
