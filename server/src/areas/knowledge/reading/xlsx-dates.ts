import { ReadingError } from './reading.ts'
import { parseXml } from './xml.ts'

/** Tells which cells of a workbook hold dates: a date is a number of days, and its style alone says so. */
export interface DateCells {
  /** What a number is shown as in a cell of this style: a date or time in ISO 8601, else the number. */
  shown(value: string, style: string): string
}

/** Reads the styles of a workbook, and whether it counts its days from 1904. */
export function dateCellsOf(workbook: string, styles: string): DateCells {
  const areDates = dateStyles(styles)
  const epoch = countsFrom1904(workbook) ? EPOCH_1904 : EPOCH_1900
  return {
    shown: (value, style) =>
      value !== '' && areDates[Number(style || 0)] ? (dateOf(Number(value), epoch) ?? value) : value,
  }
}

/** The numbers of the day 1970-01-01. */
const EPOCH_1900 = 25_569
const EPOCH_1904 = 24_107
const DAY_SECONDS = 86_400
/** The last of the year 9999: later ones have no date in ISO 8601. */
const END_MS = Date.UTC(10_000)

function dateOf(days: number, epoch: number): string | undefined {
  const ms = Math.round((days - epoch) * DAY_SECONDS) * 1000
  if (!(days >= 0 && ms < END_MS)) return undefined
  const iso = new Date(ms).toISOString()
  const [date, time] = [iso.slice(0, 10), iso.slice(11, 16)]
  if (Number.isInteger(days)) return date
  return days < 1 ? time : `${date} ${time}`
}

/** The formats of dates and times that every workbook knows without declaring them. */
const BUILT_IN = [
  [14, 22],
  [27, 36],
  [45, 45],
  [47, 47],
  [50, 58],
] as const
const isBuiltIn = (format: number) => BUILT_IN.some(([first, last]) => format >= first && format <= last)

/** As `readDateStyles`; none where the styles cannot be read, for the texts of the cells can be. */
function dateStyles(styles: string): boolean[] {
  try {
    return styles === '' ? [] : readDateStyles(styles)
  } catch (error) {
    if (error instanceof ReadingError) return []
    throw error
  }
}

/** Of each style of cells, by its number, whether it shows dates. */
function readDateStyles(styles: string): boolean[] {
  const own = new Map<number, boolean>()
  const found: boolean[] = []
  let isOfCells = false
  parseXml(styles, {
    open(name, attributes) {
      const format = Number(attributes.numFmtId ?? 0)
      if (name === 'numFmt') own.set(format, isDate(attributes.formatCode ?? ''))
      if (name === 'cellXfs') isOfCells = true
      if (name === 'xf' && isOfCells) found.push(own.get(format) ?? isBuiltIn(format))
    },
    close(name) {
      if (name === 'cellXfs') isOfCells = false
    },
  })
  return found
}

/** In characters; no program takes more. */
const LONGEST_FORMAT = 255
/** Hours in all, as in a sum of times: no date. */
const DURATION = /\[[hms]+\]/i

/** Days, months and years, hours and seconds, outside of quoted texts, escaped characters, colours and conditions. */
function isDate(code: string): boolean {
  const format = code.slice(0, LONGEST_FORMAT)
  return !DURATION.test(format) && /[dmyhs]/i.test(format.replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]|General/g, ''))
}

function countsFrom1904(workbook: string): boolean {
  let is1904 = false
  parseXml(workbook, {
    open(name, { date1904 }) {
      if (name === 'workbookPr') is1904 = date1904 === '1' || date1904 === 'true'
    },
  })
  return is1904
}
