import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import { t } from '../strings.ts'
import { axisOfX, axisOfY, dataOf, rangeOf } from './axes.ts'
import { numberText, percentText, timeText } from './text.ts'

interface Series {
  label: string
  /** The name of a colour of the style sheet: `--good`, `--bad`, `--accent`. */
  colour: string
  values: (number | null)[]
}

interface ChartProps {
  label: string
  /** Epoch seconds when `time`, else shares between 0 and 1. */
  x: number[]
  series: Series[]
  time?: boolean
  /** For counts, each of which holds for so many seconds; without it the values are shares. */
  step?: number
}

const HEIGHT = 180
/** Room for half the last text of the axis. */
const PADDING: uPlot.Padding = [null, 32, null, null]
const AXIS_WIDTH = 60
const steps: uPlot.Series.PathBuilder = (...given) => uPlot.paths.stepped?.({ align: 1 })(...given) ?? null

/** Lines over time or over shares. The same numbers must stand in a table beside it, which screen readers read. */
export function Chart({ label, x, series, time = true, step }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const theme = useThemeChanges()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are those of the theme.
  useEffect(() => {
    const { current } = place
    if (current === null) return
    const colour = (name: string) => colourOf(current, name)
    const line = { stroke: colour('--line') }
    const axis = { stroke: colour('--text'), grid: line, ticks: line }
    const lines = series.map((each) => ({
      label: each.label,
      stroke: colour(each.colour),
      width: 2,
      value: valueText(step === undefined ? percentText : numberText),
      points: { show: step === undefined, size: 5 },
      ...(step !== undefined && { paths: steps, fill: faint(colour(each.colour)) }),
    }))
    const atX = valueText(time ? (seconds) => timeText(seconds * 1000) : percentText)
    const plot = new uPlot(
      {
        width: current.clientWidth,
        height: HEIGHT,
        padding: PADDING,
        scales: { x: { time }, y: { range: rangeOf(step) } },
        axes: [
          { ...axis, ...axisOfX(time) },
          { ...axis, ...axisOfY(step), size: AXIS_WIDTH },
        ],
        series: [{ label: time ? t.time : t.chartX, value: atX }, ...lines],
      },
      dataOf(
        x,
        series.map((each) => each.values),
        step,
      ),
      current,
    )
    const observer = new ResizeObserver(() => plot.setSize({ width: current.clientWidth, height: HEIGHT }))
    observer.observe(current)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [x, series, time, step, theme])
  return <div ref={place} className="chart" role="img" aria-label={label} />
}

/** A value in the legend, which shows those under the pointer. */
const valueText = (text: (value: number) => string) => (_plot: uPlot, value: number | null) =>
  value === null ? t.none : text(value)

/** A colour of the style sheet as a canvas takes it: a variable alone may hold one for each theme. */
function colourOf(place: HTMLElement, variable: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${variable})`
  place.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** The same colour, to fill with. */
const faint = (colour: string) => colour.replace(/^rgb\((.*)\)$/, 'rgba($1, 0.2)')

/** How often the theme has changed: a canvas does not change its colours by itself. */
function useThemeChanges(): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    const changed = () => setCount((before) => before + 1)
    const observer = new MutationObserver(changed)
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    const system = matchMedia('(prefers-color-scheme: dark)')
    system.addEventListener('change', changed)
    return () => {
      observer.disconnect()
      system.removeEventListener('change', changed)
    }
  }, [])
  return count
}
