// The page at /connect: copy buttons, and a QR code for a phone. Without scripts the texts can be selected.
import { api } from '../core/api'
import { copy } from '../core/clipboard'
import { messageOf } from '../core/events'
import type { SignInLinkOut } from '../core/generated/api'
import { sentence } from '../core/sentence'
import { applyTheme } from '../core/theme'
import { addHooks } from './connect-hooks'

const COPIED_MS = 2_000

applyTheme()
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) addCopy(button)
addPhoneCode()
addHooks()

function addCopy(button: HTMLButtonElement): void {
  const text = document.getElementById(button.dataset['copy'] ?? '')?.textContent ?? ''
  let timer: ReturnType<typeof setTimeout> | undefined
  button.hidden = false
  button.addEventListener('click', async () => {
    clearTimeout(timer)
    button.textContent = await copy(text).then(
      () => 'Copied',
      () => 'Press Ctrl+C',
    )
    if (button.textContent !== 'Copied') select(button)
    timer = setTimeout(() => {
      button.textContent = 'Copy'
    }, COPIED_MS)
  })
}

/** Over plain HTTP a page cannot write to the clipboard: the user presses the keys. */
function select(button: HTMLButtonElement): void {
  const source = document.getElementById(button.dataset['copy'] ?? '')
  if (source) getSelection()?.selectAllChildren(source)
}

function addPhoneCode(): void {
  const button = document.querySelector<HTMLButtonElement>('#phone-show')
  const image = document.querySelector<HTMLImageElement>('#phone-code')
  const note = document.querySelector<HTMLElement>('#phone-note')
  if (!button || !image || !note) return
  let timer: ReturnType<typeof setTimeout> | undefined
  button.hidden = false
  button.addEventListener('click', async () => {
    clearTimeout(timer)
    button.disabled = true
    image.hidden = true
    try {
      const link = await api<SignInLinkOut>('POST', '/sign-in-links')
      image.src = link.image
      image.hidden = false
      note.textContent = `Opens ${new URL(link.address).origin}. Works once, for ${link.minutes} minutes.`
      button.textContent = 'Show a new code'
      timer = setTimeout(() => {
        image.hidden = true
        note.textContent = 'The code has expired.'
      }, link.minutes * 60_000)
    } catch (error) {
      note.textContent = sentence(messageOf(error))
    } finally {
      button.disabled = false
    }
  })
}
