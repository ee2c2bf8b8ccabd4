import { Link } from '@tanstack/react-router'
import { useTenant } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { PAGES } from './pages.ts'

/**
 * The ways to all pages. The chosen API key stays; filters of the page that is left do not. A narrow window shows them
 * only while the menu is open.
 */
export function Navigation({ isOpen, chosen }: { isOpen: boolean; chosen: () => void }) {
  const { apiKey } = useTenant()
  return (
    <nav id={NAVIGATION_ID} className={isOpen ? 'open' : ''} aria-label={t.navigation}>
      {PAGES.map(({ path, title }) => (
        <Link
          key={path}
          to={path}
          search={{ key: apiKey.id }}
          activeOptions={{ includeSearch: false }}
          onClick={chosen}
        >
          {title}
        </Link>
      ))}
    </nav>
  )
}

export const NAVIGATION_ID = 'pages'
