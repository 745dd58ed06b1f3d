import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { AppWindow, Braces, ChevronRight, Terminal, type LucideIcon } from 'lucide-react'
import { sameKeyName } from '../../../../shared/local-key.ts'
import { useScopedState } from '../../../data/use-answer.ts'
import { addressOf } from '../../../ui/route.ts'
import { localKeys } from '../local-api-store.ts'
import { dialectNames, tools, type Tool } from '../tools/index.ts'
import styles from './tool-list.module.css'

type ToolKind = Tool['kind']

const [libraries, ...others] = new Set(tools.map(({ kind }) => kind))
/** Agents first, because most people come for one. */
const kinds: readonly ToolKind[] = [...others, ...(libraries ? [libraries] : [])]

const kindWords: Readonly<Record<ToolKind, string>> = {
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

const icons: Readonly<Record<ToolKind, LucideIcon>> = {
  'Coding agents': Terminal,
  'Editors and apps': AppWindow,
  'Command line and libraries': Braces,
}

/** Every tool that settings are ready for. */
export function ToolList() {
  const keys = useScopedState(localKeys) ?? []
  const isConnected = ({ name }: Tool) =>
    keys.some((key) => key.state === 'live' && key.requests > 0 && sameKeyName(key.name, name))
  return (
    <section aria-label={t`Tools`}>
      <p className={styles.says}>
        <Trans>Choose a tool to create its key, copy its settings, and send a test request.</Trans>
      </p>
      {kinds.map((kind) => (
        <div key={kind}>
          <h2 className={styles.kind}>{kindWords[kind]}</h2>
          <ul className={styles.tools}>
            {tools
              .filter((tool) => tool.kind === kind)
              .map((tool) => (
                <li key={tool.id}>
                  <ToolCard tool={tool} connected={isConnected(tool)} />
                </li>
              ))}
          </ul>
        </div>
      ))}
    </section>
  )
}

function ToolCard({ tool: { id, name, kind, dialect }, connected }: { tool: Tool; connected: boolean }) {
  const Icon = icons[kind]
  return (
    <a className={styles.tool} href={addressOf({ view: 'developer', part: id })}>
      <span className={styles.icon}>
        <Icon size={16} strokeWidth={1.75} aria-hidden />
      </span>
      <span className={styles.words}>
        <span className={styles.name}>{name}</span>
        <span className={styles.dialect}>{dialectNames[dialect]}</span>
      </span>
      {connected ? (
        <span className={styles.connected}>
          <Trans>Connected</Trans>
        </span>
      ) : (
        <ChevronRight className={styles.go} size={16} strokeWidth={1.75} aria-hidden />
      )}
    </a>
  )
}
