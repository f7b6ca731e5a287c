// The colour scheme of terminals that this browser remembers: the colours `--terminal` and `--terminal-ink`.
import { load, save } from '../core/memory'
import { applyTheme } from '../core/theme'
import { SCHEMES } from '../terminals/colour-schemes'

export const schemeName = (): string => load('scheme', '')

export function setScheme(name: string): void {
  save('scheme', name)
  applyScheme()
  applyTheme() // redraws the terminals
}

/** An unknown or empty name: the colours of the page's theme. */
export function applyScheme(): void {
  const theme = SCHEMES.find(({ name }) => name === schemeName())?.theme
  setColour('--terminal', theme?.background)
  setColour('--terminal-ink', theme?.foreground)
}

function setColour(property: string, value: string | undefined): void {
  const { style } = document.documentElement
  if (value) style.setProperty(property, value)
  else style.removeProperty(property)
}
