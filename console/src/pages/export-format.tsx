import { t } from '../strings.ts'
import { SelectField } from '../ui/filters.tsx'

const FORMATS = {
  ndjson: { name: 'JSON lines', ending: 'jsonl', type: 'application/jsonl' },
  csv: { name: 'CSV', ending: 'csv', type: 'text/csv' },
} as const

/** Asks for the format of an export. */
export const FormatField = () => (
  <SelectField
    label={t.activity.format}
    name="format"
    options={Object.entries(FORMATS).map(([format, { name }]) => [format, name])}
  />
)

/** The format that the field holds, with the ending and the type of a file of it. */
export function formatOf(values: Record<string, string>) {
  const format = values.format === 'csv' ? 'csv' : 'ndjson'
  return { format, ...FORMATS[format] } as const
}
