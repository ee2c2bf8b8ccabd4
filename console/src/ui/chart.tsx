import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import { t } from '../strings.ts'

export interface Series {
  label: string
  /** The name of a colour of the style sheet: `--good`, `--bad`, `--accent`. */
  colour: string
  values: (number | null)[]
}

interface ChartProps {
  label: string
  /** Epoch seconds when `time`, else numbers. */
  x: number[]
  series: Series[]
  time?: boolean
  /** For counts, which hold for a whole step. */
  stepped?: boolean
}

const HEIGHT = 180
const steps: uPlot.Series.PathBuilder = (...given) => uPlot.paths.stepped?.({ align: 1 })(...given) ?? null

/** Lines over time or over numbers. The same numbers must stand in a table beside it, which screen readers read. */
export function Chart({ label, x, series, time = true, stepped = false }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const theme = useThemeChanges()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are those of the theme.
  useEffect(() => {
    const { current } = place
    if (current === null) return
    const colour = (name: string) => colourOf(current, name)
    const axis = { stroke: colour('--text'), grid: { stroke: colour('--line') }, ticks: { stroke: colour('--line') } }
    const lines = series.map((each) => ({
      label: each.label,
      stroke: colour(each.colour),
      width: 2,
      points: { show: !stepped, size: 5 },
      ...(stepped && { paths: steps, fill: faint(colour(each.colour)) }),
    }))
    const options = { width: current.clientWidth, height: HEIGHT, scales: { x: { time } } }
    const data: uPlot.AlignedData = [x, ...series.map(({ values }) => values)]
    const plot = new uPlot(
      { ...options, axes: [axis, axis], series: [{ label: time ? t.time : t.chartX }, ...lines] },
      data,
      current,
    )
    const observer = new ResizeObserver(() => plot.setSize({ width: current.clientWidth, height: HEIGHT }))
    observer.observe(current)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [x, series, time, stepped, theme])
  return <div ref={place} className="chart" role="img" aria-label={label} />
}

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
