import { Link } from '@tanstack/react-router'
import { useTenant } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { PAGES } from './pages.ts'

/** The ways to all pages. The chosen API key stays; filters of the page that is left do not. */
export function Navigation() {
  const { apiKey } = useTenant()
  return (
    <nav aria-label={t.navigation}>
      {PAGES.map(({ path, title }) => (
        <Link key={path} to={path} search={{ key: apiKey.id }} activeOptions={{ includeSearch: false }}>
          {title}
        </Link>
      ))}
    </nav>
  )
}
