import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTenant } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { PAGES } from './pages.ts'

/** The ways to all pages. The chosen API key stays; filters of the page that is left do not. */
export function Navigation() {
  const { apiKey } = useTenant()
  const { pathname } = useLocation()
  const list = useRef<HTMLElement>(null)
  // On a narrow window the list scrolls sideways.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chosen link is another one after each step.
  useEffect(() => {
    // Newer browsers return a promise, which is no clean-up.
    void list.current?.querySelector('.active')?.scrollIntoView({ block: 'nearest' })
  }, [pathname])
  return (
    <nav ref={list} aria-label={t.navigation}>
      {PAGES.map(({ path, title }) => (
        <Link key={path} to={path} search={{ key: apiKey.id }} activeOptions={{ includeSearch: false }}>
          {title}
        </Link>
      ))}
    </nav>
  )
}
