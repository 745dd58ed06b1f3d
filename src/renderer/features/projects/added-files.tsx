import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Field, Form } from '../../ui/field.tsx'
import { addWithPassword, dismissFile, stopAdding, useAdditions, type AddedFile } from './add-documents.ts'
import styles from './documents.module.css'

const PASSWORD_FAILURES: ReadonlySet<string> = new Set([
  'attachment/pdf-encrypted',
  'attachment/pdf-wrong-password',
])

/** The files that are being read, and those that couldn't be. */
export function AddedFiles({ projectId }: { projectId: string }) {
  const files = useAdditions((state) => state.files[projectId])
  if (!files || files.length === 0) return null
  const left = files.filter(({ failure }) => failure === undefined)
  const [current] = left
  return (
    <>
      {current && (
        <div className={styles.progress}>
          <p role="status">
            {current.pages ? <ReadingPages {...current} /> : <Trans>Reading {current.name}…</Trans>}{' '}
            {left.length > 1 && plural(left.length - 1, { one: '# more file', other: '# more files' })}
          </p>
          <Button onClick={() => stopAdding(projectId)}>
            <Trans>Stop reading files</Trans>
          </Button>
        </div>
      )}
      <ul className={styles.list}>
        {files.map((file) =>
          file.failure ? <FailedFile key={file.key} projectId={projectId} file={file} /> : null,
        )}
      </ul>
    </>
  )
}

function ReadingPages({ name, pages: { read, of } = { read: 0, of: 0 } }: AddedFile) {
  return (
    <Trans>
      Reading {name}… Page {read} of {of}
    </Trans>
  )
}

function FailedFile({ projectId, file }: { projectId: string; file: AddedFile }) {
  const { key, name, failure } = file
  if (!failure) return null
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <span className={styles.name} dir="auto">
          {name}
        </span>
        {PASSWORD_FAILURES.has(failure.code) ? (
          <FailureNote failure={failure}>
            <PasswordForm projectId={projectId} file={file} />
          </FailureNote>
        ) : (
          <FailureNote failure={failure} />
        )}
      </div>
      <IconButton label={t`Dismiss ${name}`} onClick={() => dismissFile(projectId, key)}>
        <X size={16} strokeWidth={1.75} aria-hidden />
      </IconButton>
    </li>
  )
}

function PasswordForm({ projectId, file: { key, name } }: { projectId: string; file: AddedFile }) {
  const [password, setPassword] = useState('')
  const submit = () => {
    if (password !== '') void addWithPassword(projectId, key, password)
  }
  return (
    <Form className={styles.password} onSubmit={submit}>
      <Field
        label={t`Password for ${name}`}
        hint={t`The password stays on this computer and isn’t saved.`}
        type="password"
        autoComplete="off"
        value={password}
        onChange={({ target }) => setPassword(target.value)}
      />
      <Button type="submit" disabled={password === ''}>
        <Trans>Open file</Trans>
      </Button>
    </Form>
  )
}
