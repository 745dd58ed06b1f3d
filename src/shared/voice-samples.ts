/** The sample text of a voice, by its language. */
const SAMPLES: Readonly<Record<string, string>> = {
  en: 'Hello. This is how I sound when I read to you.',
  de: 'Hallo. So klinge ich, wenn ich Ihnen vorlese.',
  fr: 'Bonjour. Voici ma voix quand je vous fais la lecture.',
  es: 'Hola. Así suena mi voz cuando leo para usted.',
  it: 'Buongiorno. Così suona la mia voce quando leggo per lei.',
  pt: 'Olá. É assim que eu soo quando leio para você.',
  nl: 'Hallo. Zo klink ik als ik u voorlees.',
  pl: 'Dzień dobry. Tak brzmi mój głos, kiedy czytam.',
  ja: 'こんにちは。私はこのような声で読み上げます。',
  zh: '你好。我朗读的时候就是这个声音。',
}

/** In the voice's language if it has a sample, otherwise in English. @param language a tag, as listed */
export function sampleText(language = 'en'): string {
  return SAMPLES[language.toLowerCase().split(/[-_]/)[0] ?? 'en'] ?? SAMPLES['en'] ?? ''
}
