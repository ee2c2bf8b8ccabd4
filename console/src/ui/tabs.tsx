import { useFilters } from './filters.tsx'

/** The parts of a page; the chosen one stands in the address as `view`, the first one where none does. */
export function Tabs({ label, tabs }: { label: string; tabs: [view: string, name: string][] }) {
  const [, change] = useFilters()
  const chosen = useView(tabs)
  return (
    <div className="tabs" role="tablist" aria-label={label}>
      {tabs.map(([view, name]) => (
        <button key={view} type="button" role="tab" aria-selected={view === chosen} onClick={() => change({ view })}>
          {name}
        </button>
      ))}
    </div>
  )
}

/** The part that the address names. */
export function useView(tabs: [view: string, name: string][]): string {
  const [{ view }] = useFilters()
  return tabs.find(([each]) => each === view)?.[0] ?? tabs[0]?.[0] ?? ''
}
