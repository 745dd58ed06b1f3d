const common = new Set(
  (
    'about above after again also code compare comparison difference function ideas plan script steps table always and another any anything are because been before being below between both but can cannot could describe did does doing done down each else even every explain ' +
    'few find first for from further get give had has have having hello help here hers him his how into its just keep know last least let like list look made make many may maybe me mine more most much must my name need never ' +
    'new next not nothing now off often one only other our out over own per please put rather really say see send shall she should show since some something still such sure take tell than thank thanks that the their them then there ' +
    'these they thing things think this those through today too try two under until use used using very want was way well were what when where which while who whom whose why will with within without word words would write you your yours'
  ).split(' '),
)

/** The words of a prompt that carry it, as they were written, each once. */
export function keywords(prompt: string): string[] {
  const words = prompt.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]{2,}/gu) ?? []
  const seen = new Map(words.map((word) => [word.toLowerCase(), word]))
  return [...seen].flatMap(([lower, word]) => (common.has(lower) ? [] : [word]))
}

/** The prompt in at most three of its own words. */
export function topicOf(prompt: string, words = keywords(prompt)): string {
  return words.slice(0, 3).join(' ') || prompt.trim().slice(0, 40) || 'your message'
}

/** At most `count` characters, never half of one. */
export function shortened(text: string, count: number): string {
  const characters = Array.from(text)
  return characters.length > count ? `${characters.slice(0, count).join('')} …` : text
}
