import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { ShownMessage } from '../../../../shared/conversation-tree.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { saveText } from '../../../ui/save-file.ts'
import { Select } from '../../../ui/select.tsx'
import { setDraft, useChat } from '../chat-store.ts'
import { focusComposer } from '../panel-focus.ts'
import { ArtifactContent } from './artifact-content.tsx'
import { showArtifact, type Artifact } from './artifact.ts'
import { artifactsOf, fileOf, versionsOf } from './artifact-versions.ts'
import styles from './artifact-panel.module.css'

// A file of its own would add to the first load of the window.
export { PassagePanel } from '../passages/passage-panel.tsx'

interface PanelProps {
  readonly conversationId: string
  readonly shown: readonly ShownMessage[]
  readonly artifact: Artifact
}

/** The document next to the chat, with its other versions in the visible branch. */
export function ArtifactPanel({ conversationId, shown, artifact }: PanelProps) {
  const versions = useMemo(
    () => versionsOf(artifactsOf(shown.map(({ message }) => message)), artifact),
    [shown, artifact],
  )
  const index = versions.findLastIndex(({ source }) => source === artifact.source)
  const heading = useRef<HTMLHeadingElement>(null)
  const { source } = artifact
  // An edit belongs to one version.
  const [edit, setEdit] = useState<{ readonly of: string; readonly text: string }>()
  const edited = edit?.of === source ? edit.text : undefined
  useEffect(() => heading.current?.focus(), [])
  const current = { ...artifact, source: edited ?? source }
  const file = fileOf(artifact)
  // The buttons of the edit are removed. A narrow window hides the message field, and the heading retains the focus.
  const endEdit = () => {
    setEdit(undefined)
    heading.current?.focus()
  }
  const addToMessage = () => {
    const draft = useChat.getState().drafts[conversationId] ?? ''
    setDraft(conversationId, [draft, fenced(current)].filter(Boolean).join('\n\n'))
    endEdit()
    focusComposer()
  }
  return (
    <section
      className={styles.panel}
      data-artifact
      aria-labelledby="artifact-title"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        showArtifact(undefined)
      }}
    >
      <header className={styles.head}>
        <h2 id="artifact-title" ref={heading} tabIndex={-1} dir="auto">
          {artifact.title || file.name}
        </h2>
        {index >= 0 && versions.length > 1 && (
          <Select
            aria-label={t`Version`}
            value={index}
            onChange={({ target }) => showArtifact(versions[Number(target.value)])}
          >
            {versions.map((_, version) => {
              const number = version + 1
              return <option key={version} value={version}>{t`Version ${number}`}</option>
            })}
          </Select>
        )}
        <IconButton label={t`Close`} onClick={() => showArtifact(undefined)}>
          <X size={16} strokeWidth={1.75} aria-hidden />
        </IconButton>
      </header>
      {edited === undefined ? (
        <ArtifactContent artifact={artifact} />
      ) : (
        <textarea
          className={styles.source}
          autoFocus
          aria-label={t`Source of the document`}
          dir="ltr"
          spellCheck={false}
          value={edited}
          onChange={({ target }) => setEdit({ of: source, text: target.value })}
        />
      )}
      <footer className={styles.foot}>
        {edited === undefined ? (
          <Button onClick={() => setEdit({ of: source, text: source })}>
            <Trans>Edit</Trans>
          </Button>
        ) : (
          <>
            <Button kind="primary" onClick={addToMessage}>
              <Trans>Add to message</Trans>
            </Button>
            <Button onClick={endEdit}>
              <Trans>Cancel</Trans>
            </Button>
          </>
        )}
        <CopyButton label={t`Copy document`} word text={() => current.source} />
        <Button kind="ghost" onClick={() => saveText(file.name, file.type, current.source)}>
          <Trans>Save file…</Trans>
        </Button>
        {(artifact.kind === 'page' || artifact.kind === 'drawing') && (
          <p className={styles.note}>
            <Trans>Shown without scripts and without network access.</Trans>
          </p>
        )}
      </footer>
    </section>
  )
}

/** The document as a block of code, with a fence that nothing inside of it closes. */
function fenced({ language, source }: Artifact): string {
  const longest = Math.max(2, ...(source.match(/`{3,}/g) ?? []).map(({ length }) => length))
  const mark = '`'.repeat(longest + 1)
  return `${mark}${language}\n${source.replace(/\n$/, '')}\n${mark}`
}
