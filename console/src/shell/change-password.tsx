import { useQuery } from '@tanstack/react-query'
import { PrecedentError } from '../../../client/src/errors.ts'
import { getDoors, setPassword } from '../door/session.ts'
import { useTenant } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { Action } from '../ui/action.tsx'
import { TextField } from '../ui/filters.tsx'

/**
 * Changes one's own password. It is offered to those who have one: who signs in with a token or by an issuer has none.
 */
export function ChangePassword() {
  const { door } = useTenant().session
  const doors = useQuery({ queryKey: ['doors'], queryFn: getDoors, staleTime: Number.POSITIVE_INFINITY })
  if (!(door === 'password' || door === 'link') || !doors.data?.password) return null
  return (
    <Action
      needs="look"
      reads
      label={t.account.change}
      confirm={t.account.help}
      fields={
        <>
          <TextField
            label={t.account.old}
            name="oldPassword"
            type="password"
            autoComplete="current-password"
            required={door === 'password'}
          />
          <TextField label={t.account.next} name="password" type="password" autoComplete="new-password" required />
          <TextField label={t.account.again} name="again" type="password" autoComplete="new-password" required />
        </>
      }
      run={change}
    />
  )
}

async function change({ oldPassword, password = '', again }: Record<string, string>): Promise<string> {
  if (password !== again) throw new Error(t.account.different)
  await setPassword(password, oldPassword).catch((error: unknown) => {
    // What is refused is the old password, not the role.
    throw error instanceof PrecedentError && error.httpStatus === 403 ? new Error(error.message) : error
  })
  return t.account.changed
}
