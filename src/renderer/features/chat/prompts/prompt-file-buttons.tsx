import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { MOST_PROMPTS } from '../../../../shared/contract/prompts.ts'
import { MAX_PROMPT_FILE, promptFile, readPromptFile } from '../../../../shared/prompt-file.ts'
import type { Prompt } from '../../../../shared/prompt.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { saveText } from '../../../ui/save-file.ts'
import { useAction } from '../../../ui/use-action.ts'
import styles from './prompts.module.css'
import { importPrompts } from './prompt-store.ts'

/** Exports all prompts to a file that isn't encrypted, and imports such a file. */
export function PromptFileButtons({ prompts }: { prompts: readonly Prompt[] }) {
  const input = useRef<HTMLInputElement>(null)
  const [outcome, setOutcome] = useState<Outcome>()
  const taking = useAction(async (file: File) => {
    setOutcome(undefined)
    setOutcome(await importItems(file))
  })
  return (
    <span className={styles.files}>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        data-testid="prompt-file"
        onChange={({ target: { files } }) => {
          if (files?.[0]) void taking.run(files[0])
        }}
      />
      <Button
        onClick={() => {
          if (input.current) input.current.value = ''
          input.current?.click()
        }}
        busy={taking.busy && t`Importing…`}
      >
        <Trans>Import…</Trans>
      </Button>
      <Button
        onClick={() => saveText('sotto-prompts.json', 'application/json', promptFile(prompts))}
        disabled={prompts.length === 0}
      >
        <Trans>Export</Trans>
      </Button>
      {outcome && (
        <span className={styles.outcome} role="status">
          {wordsOf(outcome)}
        </span>
      )}
      {taking.failure && <FailureNote failure={taking.failure} />}
    </span>
  )
}

type Outcome = 'none' | 'too-many' | { readonly added: number; readonly others: number }

/** Throws what the call throws. */
async function importItems(file: File): Promise<Outcome> {
  const read = file.size > MAX_PROMPT_FILE ? null : readPromptFile(await file.text())
  if (!read || read.prompts.length === 0) return 'none'
  if (read.prompts.length > MOST_PROMPTS) return 'too-many'
  const { added, known } = await importPrompts(read.prompts)
  return { added, others: known + read.skipped }
}

function wordsOf(outcome: Outcome): string {
  if (outcome === 'none') return t`This file has no prompts. Nothing was imported.`
  if (outcome === 'too-many') return t`This file has more prompts than Sotto can save. Nothing was imported.`
  const { added, others } = outcome
  const message = plural(added, { one: '# prompt imported.', other: '# prompts imported.' })
  return others === 0
    ? message
    : `${message} ${plural(others, { one: '# skipped: already saved or not a prompt.', other: '# skipped: already saved or not prompts.' })}`
}
