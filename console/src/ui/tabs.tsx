import { type KeyboardEvent, useEffect, useRef } from 'react'
import { t } from '../strings.ts'
import { useFilters } from './filters.tsx'
import { notify } from './toasts.tsx'

type Tab = [view: string, name: string]

/**
 * The parts of a page; the chosen one stands in the address, the first one where none does. The arrow keys go from one
 * to the next. A part that the page does not have is said, and taken out of the address.
 */
export function Tabs({ label, tabs, filter = 'view' }: { label: string; tabs: Tab[]; filter?: string }) {
  const [filters, change] = useFilters()
  const chosen = useView(tabs, filter)
  const asked = filters[filter]
  const isUnknown = Boolean(asked) && asked !== chosen
  // biome-ignore lint/correctness/useExhaustiveDependencies: `change` is another function each time.
  useEffect(() => {
    if (!isUnknown) return
    notify(t.noPart(asked ?? '', tabs.find(([view]) => view === chosen)?.[1] ?? ''))
    change({ [filter]: undefined }, { replace: true })
  }, [isUnknown, asked])
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    // With these the arrows are the browser's.
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const at = tabs.findIndex(([view]) => view === chosen)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key]
    const next = to === undefined ? undefined : tabs.at(to % tabs.length)
    if (!next) return
    event.preventDefault()
    change({ [filter]: next[0] })
    list.current?.querySelectorAll('button')[tabs.indexOf(next)]?.focus()
  }
  return (
    <div ref={list} className="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(([view, name]) => (
        <button
          key={view}
          type="button"
          role="tab"
          aria-selected={view === chosen}
          tabIndex={view === chosen ? 0 : -1}
          onClick={() => change({ [filter]: view })}
        >
          {name}
        </button>
      ))}
    </div>
  )
}

/** The part that the address names. */
export function useView(tabs: Tab[], filter = 'view'): string {
  const [filters] = useFilters()
  return tabs.find(([each]) => each === filters[filter])?.[0] ?? tabs[0]?.[0] ?? ''
}
