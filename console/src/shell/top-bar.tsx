import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { type ApiKey, signOut } from '../door/session.ts'
import { useTenant } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { Badge } from '../ui/show.tsx'
import { notify } from '../ui/toasts.tsx'
import { ChangePassword } from './change-password.tsx'
import { NAVIGATION_ID } from './navigation.tsx'
import { openPalette } from './palette.tsx'
import { applyTheme, chosenTheme, THEMES } from './theme.ts'
import { useWorkspaces } from './workspaces.ts'

/**
 * The bar on top: workspace and API key, palette, theme, and who is signed in. A narrow window shows all but the first
 * only while the menu is open; Escape closes it.
 */
export function TopBar({ isMenuOpen, toggleMenu }: { isMenuOpen: boolean; toggleMenu: () => void }) {
  const { session } = useTenant()
  const menu = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isMenuOpen) return
    const close = ({ key, defaultPrevented }: KeyboardEvent) => {
      // A dialog that is open has closed instead.
      if (key !== 'Escape' || defaultPrevented) return
      toggleMenu()
      menu.current?.focus()
    }
    document.addEventListener('keydown', close)
    return () => document.removeEventListener('keydown', close)
  }, [isMenuOpen, toggleMenu])
  return (
    <header className="top">
      <span className="product">{t.product}</span>
      <KeySwitcher />
      <button
        ref={menu}
        type="button"
        className="menu"
        aria-expanded={isMenuOpen}
        aria-controls={NAVIGATION_ID}
        onClick={toggleMenu}
      >
        {t.menu}
      </button>
      <div className={isMenuOpen ? 'account open' : 'account'}>
        <button type="button" onClick={openPalette}>
          {t.palette.open} <kbd>Ctrl K</kbd>
        </button>
        <ThemeChoice />
        <span className="who">
          {session.operator.name || session.operator.email} <Badge>{t.roles[session.operator.role]}</Badge>
          {session.readOnly && <Badge tone="wait">{t.readOnlyBadge}</Badge>}
        </span>
        <ChangePassword />
        <SignOut />
      </div>
    </header>
  )
}

export function SignOut() {
  const queries = useQueryClient()
  const leave = () =>
    signOut()
      .then(() => queries.clear())
      .then(() => location.reload(), notify)
  return (
    <button type="button" className="quiet" onClick={() => void leave()}>
      {t.signOut}
    </button>
  )
}

function KeySwitcher() {
  const { apiKey } = useTenant()
  const navigate = useNavigate()
  const { data: workspaces = [] } = useWorkspaces()
  return (
    <select
      aria-label={t.chooseKey}
      value={apiKey.id}
      onChange={(event) => void navigate({ to: '.', search: { key: event.target.value } })}
    >
      {workspaces.map(({ id, name, apiKeys }) => (
        <optgroup key={id} label={name || id}>
          {apiKeys.map((each) => (
            <option key={each.id} value={each.id}>
              {nameOf(each, apiKeys)} {each.disabled ? t.disabledKey : ''}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  )
}

/** The name of an API key; with the id where another one of its workspace has the same. */
function nameOf({ id, apiKeyName }: ApiKey, all: ApiKey[]): string {
  if (!apiKeyName) return id
  return all.filter((each) => each.apiKeyName === apiKeyName).length > 1 ? `${apiKeyName}, ${id}` : apiKeyName
}

function ThemeChoice() {
  const [theme, setTheme] = useState(chosenTheme())
  return (
    <select
      aria-label={t.theme.label}
      value={theme}
      onChange={(event) => {
        const next = THEMES.find((each) => each === event.target.value) ?? 'system'
        applyTheme(next)
        setTheme(next)
      }}
    >
      {THEMES.map((each) => (
        <option key={each} value={each}>
          {t.theme[each]}
        </option>
      ))}
    </select>
  )
}
