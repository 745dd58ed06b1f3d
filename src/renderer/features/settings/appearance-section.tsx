import { t } from '@lingui/core/macro'
import { densities, languageChoices, textSizes, type Density } from '../../../shared/window-preferences.ts'
import { setDensity, setTextSize, textSizeNames } from '../../ui/appearance.ts'
import { chooseLanguage, languageName } from '../../ui/language/language.ts'
import { usePreferences } from '../../ui/preferences.ts'
import { Section } from '../../ui/view.tsx'
import { SelectField } from '../../ui/select.tsx'
import { setTheme, themes, useTheme, type Theme } from '../../ui/theme.ts'
import { RadioGroup } from '../../ui/radio-group.tsx'
import styles from './settings-view.module.css'

const themeWords: Readonly<Record<Theme, string>> = {
  get system() {
    return t`System`
  },
  get light() {
    return t`Light`
  },
  get dark() {
    return t`Dark`
  },
}
const densityWords: Readonly<Record<Density, string>> = {
  get comfortable() {
    return t`Comfortable`
  },
  get compact() {
    return t`Compact`
  },
}

/** The look and the language of the window. */
export function AppearanceSection() {
  const theme = useTheme((state) => state.theme)
  const { density, language, textSize } = usePreferences()
  return (
    <Section title={t`Appearance`}>
      <Choice
        legend={t`Theme`}
        name="theme"
        options={themes}
        labels={themeWords}
        chosen={theme}
        onChoose={setTheme}
      />
      <Choice
        legend={t`Text size`}
        name="text-size"
        options={textSizes}
        labels={textSizeNames}
        chosen={textSize}
        onChoose={setTextSize}
      />
      <Choice
        legend={t`Density`}
        name="density"
        options={densities}
        labels={densityWords}
        chosen={density}
        onChoose={setDensity}
      />
      <div className={styles.language}>
        <SelectField
          label={t`Language`}
          value={language}
          onChange={({ target: { value } }) =>
            void chooseLanguage(languageChoices.find((choice) => choice === value) ?? 'system')
          }
        >
          {languageChoices.map((choice) =>
            choice === 'system' ? (
              <option key={choice} value={choice}>{t`System`}</option>
            ) : (
              <option key={choice} value={choice} lang={choice}>
                {languageName(choice)}
              </option>
            ),
          )}
        </SelectField>
      </div>
    </Section>
  )
}

interface ChoiceProps<Option extends string> {
  legend: string
  name: string
  options: readonly Option[]
  labels: Readonly<Record<Option, string>>
  chosen: Option
  onChoose: (option: Option) => void
}

function Choice<Option extends string>({
  legend,
  name,
  options,
  labels,
  chosen,
  onChoose,
}: ChoiceProps<Option>) {
  return (
    <div className={styles.choice}>
      <span aria-hidden>{legend}</span>
      <RadioGroup
        segmented
        label={legend}
        name={name}
        options={options.map((id) => ({ id, name: labels[id] }))}
        chosen={chosen}
        onChoose={onChoose}
      />
    </div>
  )
}
