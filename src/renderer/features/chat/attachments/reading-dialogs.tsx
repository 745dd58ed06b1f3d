import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Languages } from 'lucide-react'
import { useEffect, useState } from 'react'
import { decodeChosen } from '../../../../shared/text-encoding/decode-text.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Field, Form } from '../../../ui/field.tsx'
import { SelectField } from '../../../ui/select.tsx'
import type { AttachedFile } from './attached-store.ts'
import styles from './attachments.module.css'
import { readAgain } from './import-file.ts'
import { nameEncoding, pageRanges } from '../../../files/reading-words.ts'

/** The size limits of a text in bytes, and of the part that is shown in characters. */
const PREVIEW_BYTES = 64_000
const PREVIEW_CHARACTERS = 2_000

export interface ReadingDialogProps {
  file: AttachedFile
  onClose: () => void
}

/** What a person should know about how a file was read, and the way to change it. */
export function ReadingNotes({ file, onChoose }: { file: AttachedFile; onChoose: () => void }) {
  const { name, notes = {}, source } = file
  const { encoding, pagesWithoutText = [], recognizedPages = [], recognized, animated } = notes
  const count = pagesWithoutText.length
  const pages = pageRanges(pagesWithoutText)
  const lines = encoding?.repaired?.lines ?? 0
  const shown = encoding && nameEncoding(encoding.encoding)
  return (
    <>
      <span className={styles.notes}>
        {count > 0 &&
          plural(count, {
            one: `No text found on page ${pages}`,
            other: `No text found on pages ${pages}`,
          })}
        {recognizedPages.length > 0 && <RecognizedPages pages={recognizedPages} />}
        {recognized && <Trans>Recognized text. It may contain errors.</Trans>}
        {animated && <Trans>Animated. A model may see only the first frame.</Trans>}
        {encoding && !encoding.sure && <Trans>Encoding guessed: {shown}</Trans>}
        {encoding?.sure && encoding.encoding !== 'utf-8' && <Trans>Encoding: {shown}</Trans>}
        {lines > 0 && plural(lines, { one: '# line isn’t valid UTF-8', other: '# lines aren’t valid UTF-8' })}
      </span>
      {source && encoding && (
        <IconButton label={t`Change encoding of ${name}…`} onClick={onChoose}>
          <Languages size={14} strokeWidth={1.75} aria-hidden />
        </IconButton>
      )}
    </>
  )
}

function RecognizedPages({ pages: numbers }: { pages: readonly number[] }) {
  const pages = pageRanges(numbers)
  const count = numbers.length
  return (
    <span>
      {plural(count, {
        one: `Text of page ${pages} was recognized and may contain errors.`,
        other: `Text of pages ${pages} was recognized and may contain errors.`,
      })}
    </span>
  )
}

/** Asks how a file is read: for its password if it's encrypted, and otherwise for its encoding. */
export function ReadingDialog({ file, onClose }: ReadingDialogProps) {
  return file.failure ? (
    <PasswordDialog file={file} onClose={onClose} />
  ) : (
    <EncodingDialog file={file} onClose={onClose} />
  )
}

function PasswordDialog({ file: { key, name }, onClose }: ReadingDialogProps) {
  const [password, setPassword] = useState('')
  return (
    <Dialog
      open
      persistent
      onClose={onClose}
      title={t`Password for ${name}`}
      says={t`The password stays on this computer and isn’t saved.`}
    >
      <Form
        onSubmit={() => {
          void readAgain(key, { password })
          onClose()
        }}
      >
        <Field
          label={t`Password`}
          type="password"
          autoComplete="off"
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
        <DialogActions>
          <Button type="button" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" kind="primary" disabled={password === ''}>
            <Trans>Open file</Trans>
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

function EncodingDialog({ file: { key, name, notes, source }, onClose }: ReadingDialogProps) {
  const current = notes?.encoding?.encoding ?? 'utf-8'
  const [chosen, setChosen] = useState(current)
  const [start, setStart] = useState<Uint8Array>()
  useEffect(() => {
    let left = false
    void source
      ?.slice(0, PREVIEW_BYTES)
      .arrayBuffer()
      .then((bytes) => {
        if (!left) setStart(new Uint8Array(bytes))
      })
    return () => {
      left = true
    }
  }, [source])
  const offered = [...new Set([current, ...(notes?.encoding?.others ?? [])])]
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t`Encoding of ${name}`}
      says={t`The preview shows how the text reads in each encoding.`}
    >
      <SelectField label={t`Encoding`} value={chosen} onChange={({ target }) => setChosen(target.value)}>
        {offered.map((encoding) => (
          <option key={encoding} value={encoding}>
            {nameEncoding(encoding)}
          </option>
        ))}
      </SelectField>
      <pre className={styles.text} dir="auto" tabIndex={0} aria-label={t`Preview`}>
        {start && decodeChosen(start, chosen).slice(0, PREVIEW_CHARACTERS)}
      </pre>
      <DialogActions>
        <Button onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button
          kind="primary"
          onClick={() => {
            if (chosen !== current) void readAgain(key, { encoding: chosen })
            onClose()
          }}
        >
          <Trans>Use encoding</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  )
}
