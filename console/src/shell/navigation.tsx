import { Link } from '@tanstack/react-router'
import { t } from '../strings.ts'
import { useKept } from './kept.ts'
import { PAGES } from './pages.ts'

/**
 * The ways to all pages. The chosen API key and organization stay; other filters of the page that is left do not. A
 * narrow window shows them only while the menu is open.
 */
export function Navigation({ isOpen, chosen }: { isOpen: boolean; chosen: () => void }) {
  const kept = useKept()
  return (
    <nav id={NAVIGATION_ID} className={isOpen ? 'open' : ''} aria-label={t.navigation}>
      {PAGES.map(({ path, title }) => (
        <Link key={path} to={path} search={kept(path)} activeOptions={{ includeSearch: false }} onClick={chosen}>
          {title}
        </Link>
      ))}
    </nav>
  )
}

export const NAVIGATION_ID = 'pages'
