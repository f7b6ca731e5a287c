// Dark, light, or the system's: an attribute on <html> that base.css reads. Tells `theme-changed`.
import { load, save } from './memory.js'

export function setTheme(theme) {
  save('theme', theme)
  applyTheme()
}

export function applyTheme() {
  const theme = load('theme', '')
  if (theme) document.documentElement.dataset.theme = theme
  else delete document.documentElement.dataset.theme
  document.dispatchEvent(new CustomEvent('theme-changed'))
}

export function isDark() {
  const theme = document.documentElement.dataset.theme
  return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme)
