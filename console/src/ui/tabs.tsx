import { useFilters } from './filters.tsx'

type Tab = [view: string, name: string]

/** The parts of a page; the chosen one stands in the address, the first one where none does. */
export function Tabs({ label, tabs, filter = 'view' }: { label: string; tabs: Tab[]; filter?: string }) {
  const [, change] = useFilters()
  const chosen = useView(tabs, filter)
  return (
    <div className="tabs" role="tablist" aria-label={label}>
      {tabs.map(([view, name]) => (
        <button
          key={view}
          type="button"
          role="tab"
          aria-selected={view === chosen}
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
