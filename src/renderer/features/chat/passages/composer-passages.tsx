import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { FoundPassage } from '../../../../shared/knowledge.ts'
import type { Model } from '../../../../shared/model.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { useProjectDocuments } from '../../../ui/project-documents.ts'
import { leavePassageOut, turnPassages, useFoundPassages } from './find-passages.ts'
import { chosenPassages, usePassages } from './passage-store.ts'
import { placeWords, summaryWords } from './passage-words.ts'
import styles from './passages.module.css'

export interface ComposerPassagesProps {
  draft: string
  projectId: string
  text: string
  /** Undefined if several models are asked, or none is known. */
  model: Model | undefined
}

/** The passages of the project's files that would go with the draft. Each can be left out, and a switch leaves out all. */
export function ComposerPassages({ draft, projectId, text, model }: ComposerPassagesProps) {
  useFoundPassages(draft, projectId, text)
  const hasDocuments = useProjectDocuments(({ documents }) => (documents[projectId]?.length ?? 0) > 0)
  const off = usePassages((state) => state.off[projectId] === true)
  const found = usePassages((state) => state.found[draft])
  if (!hasDocuments) return null
  return (
    <div className={styles.passages}>
      {found?.failure && <FailureNote failure={found.failure} />}
      <div className={styles.line}>
        {off ? (
          <span className={styles.words}>
            <Trans>Passages of the project’s files aren’t sent.</Trans>
          </span>
        ) : found === undefined ? (
          <span className={styles.words}>
            {text.trim() === '' ? (
              <Trans>Passages of the project’s files appear here before you send.</Trans>
            ) : (
              <Trans>Finding passages…</Trans>
            )}
          </span>
        ) : (
          <Choice draft={draft} projectId={projectId} passages={found.passages} model={model} />
        )}
        <Button kind="ghost" className={styles.turn} onClick={() => turnPassages(projectId, !off)}>
          {off ? <Trans>Send passages</Trans> : <Trans>Send none</Trans>}
        </Button>
      </div>
    </div>
  )
}

interface ChoiceProps extends Pick<ComposerPassagesProps, 'draft' | 'projectId' | 'model'> {
  passages: readonly FoundPassage[]
}

function Choice({ draft, projectId, passages, model }: ChoiceProps) {
  const [isOpen, setOpen] = useState(false)
  const state = usePassages()
  const chosen = chosenPassages(state, draft, projectId)
  if (passages.length === 0)
    return (
      <span className={styles.words} role="status">
        <Trans>No passage matches.</Trans>
      </span>
    )
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <>
      <span className={styles.words} role="status">
        <button
          type="button"
          className={styles.summary}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Chevron size={14} strokeWidth={1.75} aria-hidden />
          <span>{summaryWords(chosen, model)}</span>
        </button>
      </span>
      {isOpen && (
        <ul className={styles.list} aria-label={t`Passages to send`} tabIndex={0}>
          {passages.map((passage) => (
            <li key={passage.id}>
              <PassageChoice
                passage={passage}
                isChosen={chosen.includes(passage)}
                onTurn={(isChosen) => leavePassageOut(draft, passage.id, !isChosen)}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function PassageChoice({
  passage: { document, place, text },
  isChosen,
  onTurn,
}: {
  passage: FoundPassage
  isChosen: boolean
  onTurn: (isChosen: boolean) => void
}) {
  return (
    <label className={styles.choice}>
      <input type="checkbox" checked={isChosen} onChange={({ target }) => onTurn(target.checked)} />
      <span className={styles.passage}>
        <span className={styles.source}>
          <bdi>{document}</bdi>, {placeWords(place)}
        </span>
        <span className={styles.excerpt} dir="auto">
          {text}
        </span>
      </span>
    </label>
  )
}
