import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../../ui/dialog.tsx'
import { DropZone } from '../../../../ui/drop-zone.tsx'
import { formatLanguage } from '../../../../ui/format/language-name.ts'
import { SelectField } from '../../../../ui/select.tsx'
import type { AttachedFile } from '../attached-store.ts'
import styles from '../attachments.module.css'
import { recognizeText } from './recognize-file.ts'

export interface RecognizeDialogProps {
  file: AttachedFile
  onClose: () => void
}

/** Language files that a person chose, by name. They stay in memory until the window closes. */
const chosenFiles = new Map<string, File>()
const ENGLISH = ''

/** Asks before text is recognized, and for the language of the text. */
export function RecognizeDialog({ file: { key, name, attachment }, onClose }: RecognizeDialogProps) {
  const [language, setLanguage] = useState(ENGLISH)
  const choose = ([file]: readonly File[]) => {
    if (!file) return
    chosenFiles.set(file.name, file)
    setLanguage(file.name)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t`Recognize text in ${name}?`}
      says={t`Sotto recognizes the text on this computer. It may contain errors.`}
    >
      <div className={styles.choices}>
        {attachment?.kind === 'image' && (
          <p>
            <Trans>The text replaces the image in your message.</Trans>
          </p>
        )}
        <SelectField
          label={t`Language of the text`}
          value={language}
          onChange={({ target }) => setLanguage(target.value)}
        >
          <option value={ENGLISH}>{formatLanguage('en')}</option>
          {[...chosenFiles.keys()].map((chosen) => (
            <option key={chosen} value={chosen}>
              {chosen}
            </option>
          ))}
        </SelectField>
        <DropZone
          label={t`Another language`}
          hint={t`Choose a .traineddata file, for example from an npm package named @tesseract.js-data. Sotto uses it until this window closes.`}
          accept=".traineddata,.gz"
          onFiles={choose}
        />
      </div>
      <DialogActions>
        <Button onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button
          kind="primary"
          onClick={() => {
            void recognizeText(key, chosenFiles.get(language))
            onClose()
          }}
        >
          <Trans>Recognize text</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  )
}
