import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { Prompt } from '../../../../shared/prompt.ts'
import { announce } from '../../../ui/announcer.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Field } from '../../../ui/field.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Toast } from '../../../ui/toast.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { examplePrompts } from './examples.ts'
import { PromptEditor } from './prompt-editor.tsx'
import { PromptFileButtons } from './prompt-file-buttons.tsx'
import styles from './prompts.module.css'
import {
  loadPrompts,
  showPromptLibrary,
  removePrompt,
  savePrompt,
  importPrompts,
  usePrompts,
} from './prompt-store.ts'
import { insertIntoDraft } from './slash-store.ts'

const close = () => showPromptLibrary(false)

/** The saved prompts: create, search, edit, delete, export and import. @param draft the draft that receives a prompt */
export function PromptLibrary({ draft }: { draft: string }) {
  const [edited, setEdited] = useState<Prompt | 'new'>()
  if (edited)
    return <PromptEditor prompt={edited === 'new' ? undefined : edited} done={() => setEdited(undefined)} />
  return (
    <Dialog
      open
      onClose={close}
      wide
      title={t`Prompts`}
      says={t`Text you reuse, saved on this computer and encrypted. In a message, type / to insert a prompt.`}
    >
      <PromptList draft={draft} edit={setEdited} />
    </Dialog>
  )
}

function PromptList({ draft, edit }: { draft: string; edit: (prompt: Prompt | 'new') => void }) {
  const prompts = usePrompts((state) => state.prompts)
  const [wanted, setWanted] = useState('')
  const [deleted, setDeleted] = useState<Prompt>()
  const failure = usePrompts((state) => state.failure)
  const examples = useAction(async () => {
    await importPrompts(examplePrompts())
  })
  const undo = useAction(async () => {
    if (deleted) await savePrompt({ promptId: deleted.id, name: deleted.name, text: deleted.text })
    setDeleted(undefined)
  })
  const terms = wanted.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const found = prompts?.filter(({ name, text }) =>
    terms.every((word) => name.toLocaleLowerCase().includes(word) || text.toLocaleLowerCase().includes(word)),
  )
  const insert = (prompt: Prompt) => {
    close()
    insertIntoDraft(draft, prompt)
  }
  const remove = async (prompt: Prompt) => {
    if (!(await removePrompt(prompt.id))) return
    setDeleted(prompt)
    announce(deletedText(prompt.name))
  }
  return (
    <div className={styles.library}>
      <div className={styles.tools}>
        <Field
          label={t`Search prompts`}
          type="search"
          autoFocus
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
          className={styles.search}
        />
        <Button kind="primary" onClick={() => edit('new')}>
          <Trans>New prompt</Trans>
        </Button>
      </div>
      {failure && <FailureNote failure={failure} onRetry={() => void loadPrompts()} />}
      {undo.failure && <FailureNote failure={undo.failure} />}
      {!prompts && !failure && <Skeleton label={t`Opening…`} />}
      {prompts?.length === 0 && (
        <EmptyState title={t`No prompts yet`}>
          <Button onClick={() => void examples.run()} busy={examples.busy && t`Adding…`}>
            <Trans>Add five examples</Trans>
          </Button>
          {examples.failure && <FailureNote failure={examples.failure} />}
        </EmptyState>
      )}
      {prompts && prompts.length > 0 && found?.length === 0 && <EmptyState compact title={t`No matches`} />}
      {found && found.length > 0 && (
        <ul className={styles.list} aria-label={t`Prompts`}>
          {found.map((prompt) => (
            <li key={prompt.id} className={styles.prompt}>
              <button type="button" className={styles.use} onClick={() => insert(prompt)}>
                <span className={styles.name} dir="auto">
                  {prompt.name}
                </span>
                <span className={styles.text} dir="auto">
                  {firstOf(prompt.text)}
                </span>
              </button>
              <Menu
                label={promptMenu(prompt.name)}
                items={[
                  { name: t`Use in message`, choose: () => insert(prompt) },
                  { name: t`Edit`, choose: () => edit(prompt) },
                  { name: t`Delete`, choose: () => void remove(prompt), danger: true },
                ]}
              />
            </li>
          ))}
        </ul>
      )}
      {deleted && (
        <Toast
          message={deletedText(deleted.name)}
          action={t`Undo`}
          busy={undo.busy && t`Undoing…`}
          onAction={() => void undo.run()}
        />
      )}
      <DialogActions>
        <PromptFileButtons prompts={prompts ?? []} />
        <Button onClick={close}>
          <Trans>Close</Trans>
        </Button>
      </DialogActions>
    </div>
  )
}

function deletedText(name: string): string {
  return t`“${name}” deleted.`
}

function promptMenu(name: string): string {
  return t`More actions for prompt ${name}`
}

/** The part of a text that fits into a row. */
function firstOf(text: string): string {
  return text.slice(0, 300).replace(/\s+/g, ' ').trim()
}
