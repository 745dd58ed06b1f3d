import { t } from '@lingui/core/macro'
import type { VoicePrices } from '../../../../shared/contract/sotto-contract.ts'
import { useVoicePrices } from '../../../data/listings.ts'
import { useScope } from '../../../data/service-scope.tsx'
import { setScopedState, useScopedState } from '../../../data/use-answer.ts'
import { formatLanguage } from '../../../ui/format/language-name.ts'
import { formatPrice } from '../../../ui/format/money.ts'
import { SelectField } from '../../../ui/select.tsx'
import { TextAreaField } from '../../../ui/text-area-field.tsx'
import { transcriptionModel, useTranscriptionDraft, type TranscriptFormat } from './transcription-draft.ts'

const formats: Readonly<Record<TranscriptFormat, string>> = {
  get verbose_json() {
    return t`With timestamps for each sentence (verbose)`
  },
  get srt() {
    return t`SubRip subtitles (SRT)`
  },
  get vtt() {
    return t`WebVTT subtitles (VTT)`
  },
  get json() {
    return t`Text only (JSON)`
  },
  get text() {
    return t`Text only (plain text)`
  },
}
const formatIds = ['verbose_json', 'srt', 'vtt', 'json', 'text'] as const

/** The most requested languages; each value is a tag that the service accepts. */
const LANGUAGES = [
  'ar',
  'cs',
  'da',
  'de',
  'el',
  'en',
  'es',
  'fi',
  'fr',
  'he',
  'hi',
  'hu',
  'id',
  'it',
  'ja',
  'ko',
  'nl',
  'no',
  'pl',
  'pt',
  'ro',
  'ru',
  'sv',
  'th',
  'tr',
  'uk',
  'vi',
  'zh',
]

/** The options of the transcription. */
export function TranscriptionSettings() {
  const scope = useScope()
  const { format, language, prompt } = useTranscriptionDraft()
  const model = useScopedState(transcriptionModel)
  const listening = useVoicePrices().data?.listening ?? []
  const timed = format !== 'json' && format !== 'text'
  return (
    <>
      <SelectField
        label={t`Format`}
        value={format}
        hint={
          timed
            ? t`The text follows the audio.`
            : t`Without timestamps, the text can’t follow the audio and there are no subtitles.`
        }
        onChange={({ target }) =>
          useTranscriptionDraft.setState({
            format: formatIds.find((id) => id === target.value) ?? 'verbose_json',
          })
        }
      >
        {formatIds.map((id) => (
          <option key={id} value={id}>
            {formats[id]}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t`Language`}
        value={language}
        onChange={({ target }) => useTranscriptionDraft.setState({ language: target.value })}
      >
        <option value="multi">{t`Detected by the service`}</option>
        {LANGUAGES.map((tag) => ({ tag, name: formatLanguage(tag) }))
          .toSorted((one, other) => one.name.localeCompare(other.name))
          .map(({ tag, name }) => (
            <option key={tag} value={tag}>
              {name}
            </option>
          ))}
      </SelectField>
      <SelectField
        label={t`Model`}
        value={model}
        onChange={({ target }) => setScopedState(scope, transcriptionModel, () => target.value)}
      >
        <option value="">{t`Service default`}</option>
        {listening.map((each) => (
          <option key={each.id} value={each.id}>
            {withPrice(each)}
          </option>
        ))}
      </SelectField>
      <TextAreaField
        label={t`Expected names and words`}
        rows={3}
        value={prompt}
        maxLength={4000}
        spellCheck
        hint={t`Helps with spelling. Optional.`}
        onChange={({ target }) => useTranscriptionDraft.setState({ prompt: target.value })}
      />
    </>
  )
}

function withPrice({ name, price }: VoicePrices['listening'][number]): string {
  if (!price || (price.per !== undefined && price.per !== 'minute')) return name
  return t`${name}: ${formatPrice(price.amount)} per minute`
}
