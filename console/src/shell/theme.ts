export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'precedent.theme'

/** The theme that this browser was told to use. */
export function chosenTheme(): Theme {
  const stored = localStorage.getItem(KEY)
  return THEMES.find((theme) => theme === stored) ?? 'system'
}

/** Uses a theme from now on, or the one chosen before. */
export function applyTheme(theme: Theme = chosenTheme()): void {
  localStorage.setItem(KEY, theme)
  document.documentElement.dataset.theme = theme
}
