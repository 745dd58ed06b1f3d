import { t } from '@lingui/core/macro'

/** Prompts to begin with, in the language of the window. They are offered, and kept only by choice. */
export function examplePrompts(): { readonly name: string; readonly text: string }[] {
  const [language, text, code, audience, length] = [t`language`, t`text`, t`code`, t`audience`, t`length`]
  const [english, french, german, spanish] = [t`English`, t`French`, t`German`, t`Spanish`]
  const [short, middle, long] = [t`three sentences`, t`one paragraph`, t`one page`]
  return [
    { name: t`Summarise`, text: `${t`Summarise the following, keeping names, numbers and decisions. Length:`} {{${length}|${short}|${middle}|${long}}}.\n\n{{${text}}}` },
    { name: t`Translate`, text: `${t`Translate the following, keeping its tone and its formatting. Into:`} {{${language}|${english}|${french}|${german}|${spanish}}}.\n\n{{${text}}}` },
    { name: t`Explain`, text: `${t`Explain the following step by step, and define each term at its first use. For:`} {{${audience}=${t`somebody new to the field`}}}.\n\n{{${text}}}` },
    { name: t`Review code`, text: `${t`Review this code. List real defects first, each with the line, why it fails, and the smallest change that mends it. Then say what is unclear.`}\n\n\`\`\`\n{{${code}}}\n\`\`\`` },
    { name: t`Proofread`, text: `${t`Correct spelling and grammar. Change nothing else. Give the corrected text, and then a list of what you changed.`}\n\n{{${text}}}` },
  ]
}
