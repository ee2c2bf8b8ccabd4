import type { ReactNode } from 'react'
import { t } from '../strings.ts'
import { Button } from './button.tsx'
import { Loaded, type Query } from './states.tsx'
import { numberText } from './text.ts'

export interface Column<Row> {
  header: string
  cell: (row: Row) => ReactNode
  /** Its numbers stand below each other by their last digit. */
  isNumber?: boolean
}

interface TableProps<Row> {
  label: string
  columns: Column<Row>[]
  rows: Row[]
  idOf: (row: Row) => string
  /** Opens the details of a row; the first cell becomes the button. */
  open?: (row: Row) => void
}

/** A table. In a narrow window each row is a block, and each cell a line with the name of its column. */
export const DataTable = <Row extends object>({ label, columns, rows, idOf, open }: TableProps<Row>) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
  <section className="scrolls" aria-label={label} tabIndex={0}>
    <table>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.header} scope="col" className={classOf(column)}>
              {column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={idOf(row)}>
            {columns.map((column, index) => (
              <td key={column.header} data-column={column.header} className={classOf(column)}>
                {open && index === 0 ? (
                  <button type="button" className="link" onClick={() => open(row)}>
                    {column.cell(row)}
                  </button>
                ) : (
                  column.cell(row)
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

const classOf = ({ isNumber }: { isNumber?: boolean }) => (isNumber ? 'number' : undefined)

interface Pages {
  rows: unknown[]
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage(): unknown
}

interface PagedTableProps<Row> extends Omit<TableProps<Row>, 'rows'> {
  query: Query<unknown> & Pages & { rows: Row[] }
  /** What stands in its place while there are no rows. */
  empty: ReactNode
  /** The details of the row that is opened. */
  children?: ReactNode
}

/** A table that is read a page at a time: the rows that were read, and the way to further ones. */
export const PagedTable = <Row extends object>({ query, empty, children, ...table }: PagedTableProps<Row>) => (
  <Loaded query={query}>
    {() => (
      <>
        {query.rows.length === 0 ? empty : <DataTable {...table} rows={query.rows} />}
        <More query={query} />
        {children}
      </>
    )}
  </Loaded>
)

/** So many are counted at a glance. */
const FEW = 10

/** Reads the next page of a list, while there is one. It says how many are shown. */
export function More({ query }: { query: Pages }) {
  const { rows, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const count = numberText(rows.length)
  if (!hasNextPage) return rows.length > FEW ? <p className="muted">{t.inAll(count)}</p> : null
  return (
    <p className="actions">
      <Button isBusy={isFetchingNextPage} press={fetchNextPage}>
        {isFetchingNextPage ? t.loading : t.more}
      </Button>
      <span className="muted">{t.areShown(count)}</span>
    </p>
  )
}
