import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { ServiceScope } from '../../data/service-scope.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { DropZone } from '../../ui/drop-zone.tsx'
import { Form } from '../../ui/field.tsx'
import styles from './import-dialog.module.css'
import type { ImportModels } from '../../../shared/library/import-report.ts'
import { ImportModelsFields } from './import-models.tsx'
import { ImportState } from './import-state.tsx'
import { ImportPreview, undoneText } from './import-preview.tsx'
import { useChatImport } from './use-chat-import.ts'

interface ImportDialogProps {
  onTaken: () => void
  close: () => void
}

export function ImportDialog({ onTaken, close }: ImportDialogProps) {
  const [files, setFiles] = useState<readonly File[]>([])
  const [tried, setTried] = useState(false)
  const [models, setModels] = useState<ImportModels>([])
  const { progress, failure, preview, outcome, importId, undone, runPreview, runImport, undo, stop } =
    useChatImport(onTaken)
  const finished = outcome !== undefined || undone !== undefined
  const choose = (chosen: readonly File[]) => {
    setFiles(chosen)
    setModels([])
    void runPreview(chosen)
  }
  const submit = () => {
    setTried(true)
    if (files.length === 0 || progress || finished) return
    void (preview ? runImport(files, models) : runPreview(files))
  }
  return (
    <Dialog
      open
      onClose={close}
      persistent={progress !== undefined}
      title={t`Import chats`}
      says={t`Choose exports of ChatGPT, Claude, Open WebUI and other apps, or JSON files saved by Sotto. Import stays on this computer.`}
    >
      <Form onSubmit={submit}>
        <DropZone
          label={t`Files`}
          takes="files"
          accept=".json,.jsonl,.zip,application/json,application/zip"
          disabled={progress !== undefined}
          onFiles={choose}
          names={files.map(({ name }) => name)}
          fault={tried && files.length === 0 ? t`Choose a file.` : undefined}
        />
        <DropZone label={t`Folder`} takes="folder" disabled={progress !== undefined} onFiles={choose} />
        <p className={styles.note}>
          <Trans>
            Imported chats weren’t sent from Sotto, so they’re never shown as Private and have no receipts.
          </Trans>
        </p>
        {preview && <ImportPreview report={preview} />}
        {preview && (
          <ServiceScope>
            <ImportModelsFields report={preview} choices={models} onChoose={setModels} />
          </ServiceScope>
        )}
        {undone && (
          <p className={styles.outcome} role="status">
            {undoneText(undone)}
          </p>
        )}
        <ImportState progress={progress} failure={failure} outcome={outcome} />
        <DialogActions>
          {progress ? (
            <Button onClick={stop}>
              <Trans>Stop</Trans>
            </Button>
          ) : (
            <Button onClick={close}>
              {finished ? t({ message: 'Done', context: 'button' }) : t`Cancel`}
            </Button>
          )}
          {importId !== undefined && (
            <Button onClick={() => void undo()}>
              <Trans>Undo import</Trans>
            </Button>
          )}
          {!finished && (
            <Button kind="primary" type="submit" busy={progress !== undefined && t`Reading…`}>
              <Trans>Import</Trans>
            </Button>
          )}
        </DialogActions>
      </Form>
    </Dialog>
  )
}
