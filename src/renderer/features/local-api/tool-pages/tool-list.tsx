import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { addressOf } from '../../../ui/route.ts'
import { dialectNames, tools } from '../tools/index.ts'
import styles from './tool-list.module.css'

const kinds = [...new Set(tools.map(({ kind }) => kind))]

const kindWords: Readonly<Record<(typeof kinds)[number], string>> = {
  get 'Command line and libraries'() {
    return t`Command line and libraries`
  },
  get 'Coding agents'() {
    return t`Coding agents`
  },
  get 'Editors and apps'() {
    return t`Editors and apps`
  },
}

/** Every tool that settings are ready for. */
export function ToolList() {
  return (
    <section aria-label={t`Tools`}>
      <p className={styles.says}>
        <Trans>Choose a tool to create its key, copy its settings, and send a test request.</Trans>
      </p>
      {kinds.map((kind) => (
        <div key={kind}>
          <h3 className={styles.kind}>{kindWords[kind]}</h3>
          <ul className={styles.tools}>
            {tools
              .filter((tool) => tool.kind === kind)
              .map(({ id, name, dialect }) => (
                <li key={id}>
                  <a className={styles.tool} href={addressOf({ room: 'local-api', part: id })}>
                    <span className={styles.name}>{name}</span>
                    <span className={styles.dialect}>{dialectNames[dialect]}</span>
                  </a>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </section>
  )
}
