import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { OpenableKind } from '../../../../shared/desktop-channels.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Form } from '../../../ui/field.tsx'
import { openFile } from '../../../ui/open-file.ts'
import { useAction } from '../../../ui/use-action.ts'
import styles from './provenance-dialog.module.css'
import { addProvenance } from './service-enclave-acts.ts'

interface ChosenFile {
  readonly name: string
  readonly content: Uint8Array
}

/** Adds two files that prove the origin of an image of the service's enclave. The core verifies them. */
export function ProvenanceDialog({ close }: { close: () => void }) {
  const [file, setFile] = useState<ChosenFile>()
  const [bundle, setBundle] = useState<ChosenFile>()
  const adding = useAction(async () => {
    if (!file || !bundle) return
    await addProvenance(file.content, bundle.content)
    close()
  })
  return (
    <Dialog
      open
      onClose={close}
      persistent
      title={t`Add provenance?`}
      says={t`Sotto verifies both files on this computer and accepts the image they name.`}
    >
      <Form onSubmit={() => void adding.run()}>
        <FileChoice
          kind="image-measurements"
          chosen={file}
          label={t`Choose PCR.json…`}
          onChoose={(chosen) => {
            adding.clear()
            setFile(chosen)
          }}
        />
        <FileChoice
          kind="image-provenance"
          chosen={bundle}
          label={t`Choose Sigstore bundle…`}
          onChoose={(chosen) => {
            adding.clear()
            setBundle(chosen)
          }}
        />
        {adding.failure && <FailureNote failure={adding.failure} />}
        <DialogActions>
          <Button onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button
            kind="primary"
            type="submit"
            disabled={!file || !bundle}
            busy={adding.busy && t`Verifying…`}
          >
            <Trans>Add provenance</Trans>
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

function FileChoice({
  kind,
  chosen,
  label,
  onChoose,
}: {
  kind: OpenableKind
  chosen: ChosenFile | undefined
  label: string
  onChoose: (chosen: ChosenFile | undefined) => void
}) {
  const [fault, setFault] = useState<'failed' | 'too-large'>()
  const choose = async () => {
    const opened = await openFile(kind)
    if (opened === 'cancelled') return
    setFault(typeof opened === 'string' ? opened : undefined)
    onChoose(typeof opened === 'string' ? undefined : opened)
  }
  return (
    <div className={styles.choice}>
      <Button onClick={() => void choose()}>{label}</Button>
      {chosen && (
        <p role="status">
          <code>{chosen.name}</code>
        </p>
      )}
      {fault && (
        <p role="alert">
          {fault === 'too-large' ? t`This file is too large.` : t`Couldn’t read this file. Choose another.`}
        </p>
      )}
    </div>
  )
}
