import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Tabs } from 'radix-ui'
import { useMemo, useState } from 'react'
import { announce } from '../../../ui/announcer.tsx'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { formatBytes, formatCount } from '../../../ui/format/number.ts'
import { saveBlob } from '../../../ui/save-file.ts'
import { SelectField } from '../../../ui/select.tsx'
import tabs from '../../../ui/tabs.module.css'
import { listsIn, withTextsOpened, type AnswerList } from './answer-lists.ts'
import { AnswerTable, columnTitle, useOrder } from './answer-table.tsx'
import styles from './answer-view.module.css'
import { CellBar } from './cell-bar.tsx'
import { csvText } from './csv-text.ts'
import { columnsOf, MAX_COLUMNS } from './flatten.ts'
import type { JsonLine } from './json-lines.ts'
import { JsonTree } from './json-tree.tsx'
import type { Sorting } from './sort-rows.ts'

/** The number of rows that every browser can scroll through; the saved files have all rows. */
const MAX_ROWS = 250_000
const MAX_COPIED = 8_000_000

/** An answer of the service as table and as JSON, to be copied and saved. It is data of a stranger: shown as text, never as a page. */
export function AnswerView({ text, name }: { text: string; name: string }) {
  const parsed = useMemo(() => parse(text), [text])
  if (parsed === undefined) return <PlainAnswer text={text} name={name} />
  return <ParsedAnswer answer={parsed.answer} text={text} name={name} />
}

function parse(text: string): { readonly answer: unknown } | undefined {
  try {
    const answer: unknown = JSON.parse(text)
    return { answer }
  } catch {
    return undefined
  }
}

function PlainAnswer({ text, name }: { text: string; name: string }) {
  return (
    <div className={styles.answer}>
      <p className={styles.quiet}>
        <Trans>The result isn’t JSON, so it’s shown as text.</Trans>
      </p>
      <pre className={styles.plain} tabIndex={0} role="region" aria-label={t`Result as text`}>
        {text.slice(0, 20_000)}
      </pre>
      <div className={styles.line}>
        <Button
          onClick={() => saveBlob(`${name}.txt`, new Blob([text], { type: 'text/plain;charset=utf-8' }))}
        >
          <Trans>Save as text</Trans>
        </Button>
      </div>
    </div>
  )
}

function ParsedAnswer({ answer: source, text, name }: { answer: unknown; text: string; name: string }) {
  const { answer, opened } = useMemo(() => withTextsOpened(source), [source])
  const lists = useMemo(() => listsIn(answer), [answer])
  const [chosen, setChosen] = useState(0)
  const [look, setLook] = useState<JsonLine>()
  const list = lists[chosen] ?? lists[0]
  const rows = useMemo(() => (list ? list.rows.slice(0, MAX_ROWS) : []), [list])
  const columns = useMemo(() => columnsOf(rows), [rows])
  const [sorting, setSorting] = useState<Sorting>()
  const order = useOrder(rows, sorting)
  const saveCsv = () => {
    if (!list) return
    // All of them, in the order that is seen.
    const all = list.rows.length > rows.length ? columnsOf(list.rows).columns : columns.columns
    saveBlob(
      `${name}.csv`,
      new Blob(
        csvText(
          list.rows,
          all,
          order && list.rows.length === rows.length ? order : list.rows.keys(),
          columnTitle({ path: [], name: '', numeric: false }),
        ),
        { type: 'text/csv;charset=utf-8' },
      ),
    )
    announce(plural(list.rows.length, { one: 'Saved # row', other: 'Saved # rows' }))
  }
  const count = plural(rows.length, { one: '# row', other: '# rows' })
  const width = plural(columns.columns.length, { one: '# column', other: '# columns' })
  const openedNames = opened.slice(0, 5).join(', ')
  return (
    <Tabs.Root
      defaultValue={rows.length > 0 && columns.columns.length > 0 ? 'table' : 'json'}
      className={styles.answer}
    >
      <div className={tabs.head}>
        <Tabs.List className={tabs.names} aria-label={t`Result view`}>
          <Tabs.Trigger value="table" className={classNames(tabs.tab, tabs.name)}>
            <Trans>Table</Trans>
          </Tabs.Trigger>
          <Tabs.Trigger value="json" className={classNames(tabs.tab, tabs.name)}>
            JSON
          </Tabs.Trigger>
        </Tabs.List>
        <div className={styles.line}>
          {text.length <= MAX_COPIED && <CopyButton label={t`Copy result`} word text={() => text} />}
          <Button onClick={saveCsv} disabled={columns.columns.length === 0}>
            <Trans>Save as CSV</Trans>
          </Button>
          <Button onClick={() => saveBlob(`${name}.json`, new Blob([text], { type: 'application/json' }))}>
            <Trans>Save as JSON</Trans>
          </Button>
        </div>
      </div>
      {opened.length > 0 && (
        <p className={styles.quiet}>
          <Trans>Shown expanded: {openedNames} (received as JSON text). The saved JSON is unchanged.</Trans>
        </p>
      )}
      <Tabs.Content value="table" tabIndex={-1} className={styles.pane}>
        {lists.length > 1 && (
          <SelectField
            label={t`Rows from`}
            className={styles.lists}
            value={chosen}
            onChange={(event) => {
              setChosen(Number(event.target.value))
              setSorting(undefined)
            }}
          >
            {lists.map((each, at) => (
              <option key={at} value={at}>
                {listName(each)}
              </option>
            ))}
          </SelectField>
        )}
        {columns.columns.length === 0 ? (
          <EmptyState title={t`The result has no rows.`} />
        ) : (
          <AnswerTable
            key={chosen}
            label={t`Result as table`}
            rows={rows}
            columns={columns}
            sorting={sorting}
            onSorting={setSorting}
          />
        )}
        <p className={styles.quiet} data-testid="table-size">
          {t`${count}, ${width}`}
          {list && list.rows.length > rows.length && (
            <>
              ; <Trans>the saved CSV has all {formatCount(list.rows.length)}</Trans>
            </>
          )}
          {columns.more && (
            <>
              ;{' '}
              <Trans>
                there are more than {formatCount(MAX_COLUMNS)} columns, and the rest are only in the JSON
              </Trans>
            </>
          )}
        </p>
      </Tabs.Content>
      <Tabs.Content value="json" tabIndex={-1} className={styles.pane}>
        <JsonTree answer={answer} label={t`Result as JSON`} onLook={setLook} />
        {look && look.open === undefined && look.leftOut === undefined && (
          <CellBar name={look.name === undefined ? t`value` : String(look.name)} value={look.value} />
        )}
        <p className={styles.quiet}>{formatBytes(text.length)}</p>
      </Tabs.Content>
    </Tabs.Root>
  )
}

function listName({ path, rows }: AnswerList): string {
  const where = path.length === 0 ? t`the result` : path.join('.').slice(0, 100)
  return plural(rows.length, { one: `${where} (# row)`, other: `${where} (# rows)` })
}
