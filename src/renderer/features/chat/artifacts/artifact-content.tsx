import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { parse } from 'csv-parse/browser/esm/sync'
import { useEffect, useMemo, useRef } from 'react'
import { showLink } from '../../../ui/link-store.ts'
import { Diagram } from '../diagram.tsx'
import { finished, Markdown } from '../markdown.tsx'
import { frameDocument } from './artifact-frame.ts'
import type { Artifact } from './artifact.ts'
import styles from './artifact-panel.module.css'

/** Rows of a table that are shown. The saved file has all of them. */
const MAX_ROWS = 500

/** The document itself. */
export function ArtifactContent({ artifact }: { artifact: Artifact }) {
  const { kind, language, source } = artifact
  if (kind === 'text') return <DocumentText source={source} />
  if (kind === 'table') return <Table source={source} delimiter={language === 'tsv' ? '\t' : ','} />
  if (kind === 'diagram') return <Diagram source={source} />
  return <Framed artifact={artifact} />
}

function DocumentText({ source }: { source: string }) {
  const blocks = useMemo(() => finished(source), [source])
  return (
    <div className={styles.text}>
      <Markdown blocks={blocks} />
    </div>
  )
}

function Framed({ artifact: { title, source } }: { artifact: Artifact }) {
  const place = useRef<HTMLDivElement>(null)
  const name = title || t`Document`
  useEffect(() => {
    if (!place.current) return undefined
    return frameDocument(place.current, name, source, (answer) => {
      if ('link' in answer) showLink(answer.link)
    })
  }, [name, source])
  return <div ref={place} className={styles.framed} />
}

function rowsOf(source: string, delimiter: string): readonly (readonly string[])[] | undefined {
  try {
    return parse(source, { delimiter, relax_column_count: true, skip_empty_lines: true })
  } catch {
    return undefined
  }
}

function Table({ source, delimiter }: { source: string; delimiter: string }) {
  const rows = useMemo(() => rowsOf(source, delimiter), [source, delimiter])
  if (!rows)
    return (
      <p className={styles.note} role="note">
        <Trans>Sotto can’t read this text as a table.</Trans>
      </p>
    )
  const [head = [], ...body] = rows
  const left = body.length - MAX_ROWS
  return (
    <div className={styles.table} tabIndex={0} role="group" aria-label={t`Table`}>
      <table>
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th key={index} scope="col" dir="auto">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.slice(0, MAX_ROWS).map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} dir="auto">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {left > 0 && (
        <p className={styles.note} role="note">
          <Plural
            value={left}
            one="# more row isn’t shown. The saved file has it."
            other="# more rows aren’t shown. The saved file has them."
          />
        </p>
      )}
    </div>
  )
}
