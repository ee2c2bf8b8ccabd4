import { editsBetween } from '../near-miss.ts'

/**
 * The variables of an environment that look like misspelt settings, each with the setting that is probably meant.
 * A setting that is set is not meant. Short names, such as HOST, are close to many others: for them only two swapped
 * letters count. Longer ones may differ in one letter, those of ten or more in two; case and underscores do not count.
 */
export function misspeltVariables(
  env: Record<string, string | undefined>,
  settings: string[],
): { name: string; meant: string }[] {
  const unset = settings.filter((setting) => env[setting] === undefined)
  return Object.keys(env).flatMap((name) => {
    if (settings.includes(name)) return []
    const meant = unset.find((setting) => isMisspelt(name, setting))
    return meant === undefined ? [] : [{ name, meant }]
  })
}

const SHORT = 5
const LONG = 10

function isMisspelt(name: string, setting: string): boolean {
  if (setting.length <= SHORT) return isSwapped(name, setting)
  const allowed = setting.length >= LONG ? 2 : 1
  return Math.abs(name.length - setting.length) <= allowed + 1 && editsBetween(bare(name), bare(setting)) <= allowed
}

const bare = (name: string) => name.toUpperCase().replaceAll('_', '')

/** Whether exactly two neighbours have changed places. */
function isSwapped(name: string, setting: string): boolean {
  const at = [...setting].findIndex((letter, index) => letter !== name[index])
  const swapped = setting.slice(0, at) + (setting[at + 1] ?? '') + (setting[at] ?? '') + setting.slice(at + 2)
  return at !== -1 && name === swapped
}
