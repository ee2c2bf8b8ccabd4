import { DAY_MS } from '../../../platform/date-range.ts'
import { type Sql, sql } from '../../../platform/db/db.ts'
import type { Secrets } from '../../../platform/secret.ts'

/** What a process can read of what is stored: one version of a form, whose words depend on the version of Unicode. */
export interface Form {
  form: number
  unicode: string
}

/** Names a form and the master key of what is stored. */
export const storedFormat = ({ form, unicode }: Form, { currentKeyId }: Pick<Secrets, 'currentKeyId'>): string =>
  `${form}/${unicode}/${currentKeyId}`

/** As long as this, processes of two versions may run side by side. Each would make again what the other has made. */
export const OTHERS_KEPT_MS = DAY_MS

/** SQL: whether a stored format is of a newer form than one, or of the same. False if it names none. */
export const isNewer = (format: Sql, { form, unicode }: Form, orSame?: 'or the same'): Sql => sql`
  case
    when ${format} ~ '^[0-9]+/[0-9.]+/'
    then (split_part(${format}, '/', 1)::int, split_part(${format}, '/', 2)::numeric)
      ${orSame ? sql`>=` : sql`>`} (${form}::int, ${unicode}::numeric)
    else false
  end`
