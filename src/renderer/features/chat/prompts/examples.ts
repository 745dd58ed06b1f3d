import { t } from '@lingui/core/macro'

/** Example prompts in the language of the window. They are only offered, and saved if the person chooses them. */
export function examplePrompts(): { readonly name: string; readonly text: string }[] {
  const [language, text, code, audience, length] = [t`language`, t`text`, t`code`, t`audience`, t`length`]
  const [english, french, german, spanish] = [t`English`, t`French`, t`German`, t`Spanish`]
  const [short, middle, long] = [t`three sentences`, t`one paragraph`, t`one page`]
  return [
    {
      name: t`Summarize`,
      text: `${t`Summarize the following, keeping names, numbers, and decisions. Length:`} {{${length}|${short}|${middle}|${long}}}.\n\n{{${text}}}`,
    },
    {
      name: t`Translate`,
      text: `${t`Translate the following, keeping its tone and formatting. Into:`} {{${language}|${english}|${french}|${german}|${spanish}}}.\n\n{{${text}}}`,
    },
    {
      name: t`Explain`,
      text: `${t`Explain the following step by step, and define each term when it first appears. For:`} {{${audience}=${t`someone new to the field`}}}.\n\n{{${text}}}`,
    },
    {
      name: t`Review code`,
      text: `${t`Review this code. List real defects first, each with the line, why it fails, and the smallest fix. Then list anything that is unclear.`}\n\n\`\`\`\n{{${code}}}\n\`\`\``,
    },
    {
      name: t`Proofread`,
      text: `${t`Correct spelling and grammar. Change nothing else. Give the corrected text, then list your changes.`}\n\n{{${text}}}`,
    },
  ]
}
