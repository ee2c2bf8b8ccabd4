import { stemsOf } from '../../memory/words/tokenize.ts'
import { mayBeForms } from '../../memory/words/word-forms.ts'

/**
 * The stems of words by which one asks what was judged, and of common words of questions, in the languages asked most.
 */
const ASKING: ReadonlySet<string> = new Set(
  stemsOf(
    `about accept accepted any approval approve approved consider considered could criticise criticised criticism
    criticize criticized decide decided decision decline did do does feedback gave get give given had how i judge judged
    judgment judgments like made make many me more my ok okay opinion oppose opposed our praise praised refuse reject
    rejected rejection review reviewed reviewer reviewers reviews said say saw see seen should some tell than their
    them there they think thought told us usually very view views was we were what when where which who whom whose why
    will without would you your

    acceptable always ask asks common commonly ever expect expects frequent frequently generally happen happened happens
    matter mattered matters mostly never normal normally often prefer prefers rarely reason reasons seldom sometimes
    tend typical typically

    warum wieso weshalb welche welcher welches welchen wann wie viele wer wurde wurden werden worden es gibt
    grund gründe gründen abgelehnt abgelehnte abgelehnten ablehnen abzulehnen ablehnung genehmigt genehmigen
    genehmigung freigegeben freigeben entschieden entscheiden entscheidung beurteilt bewertet sagt sagte sagen
    oft häufig immer jemals meist meistens selten üblich üblicherweise

    pourquoi quand combien quel quelle quels quelles ont elle elles été raison raisons refusé refusée refusés
    refusées rejeté rejetée rejetés rejetées rejet refus approuvé approuvée approuvés approuvées validé décidé décision
    souvent toujours parfois jamais généralement habituellement

    cuándo cómo qué cuál cuáles cuántos cuántas quién fue fueron rechazado rechazada rechazados rechazadas rechazó
    rechazaron aprobado aprobada aprobados aprobadas aprobó aprobaron razón razones decidió motivo motivos
    frecuencia menudo siempre nunca generalmente normalmente

    quando quais quantos quantas foi foram rejeitado rejeitada rejeitados rejeitadas aprovado aprovada aprovados
    aprovadas

    perché quali quale sono respinto respinta respinti respinte rifiutato rifiutata rifiutati
    rifiutate approvato approvata approvati approvate motivi spesso sempre solitamente
    waarom wanneer welke werd afgewezen afgekeurd goedgekeurd vaak altijd
    dlaczego kiedy które odrzucono odrzucony zatwierdzono często zawsze zwykle

    почему зачем когда какие какой сколько был была было были отклонили отклонил отклонён отклонен отклонена отклонены
    отклонено одобрили одобрил одобрен одобрена одобрены одобрено причина причины решили
    часто всегда обычно
    чому коли які відхилили відхилено схвалили схвалено

    neden niçin niye hangi zaman kaç reddedildi reddedilir reddedilen reddedildiler onaylandı onaylanır
    لماذا متى كيف كم هل ماذا تم رفض رفضت رفضوا رفضه قبول قبلت سبب أسباب
    なぜ どうして いつ 却下 承認 理由 ました ます`,
  ),
)

/**
 * The same of other languages, with words that mean something else in English: of English judgments one asks by none.
 */
const ASKING_ELSEWHERE: ReadonlySet<string> = new Set([
  ...ASKING,
  ...stemsOf(
    `ab denken gesagt haben hat kritisieren kritisiert lehnen lehnt meinen muss müssen soll sollen sollte uns unsere war
    waren wir

    comment disons dit doit doivent faut jugé jugée jugés jugées nos notre nous pense pensons refuse rejette reproche

    critica criticamos cómo debe deben decimos dijimos dijo nosotros nuestra nuestro pensamos piensa porque
    deve devem disse dissemos rejeita

    abbiamo che come cosa detto devono diciamo giudicata giudicate giudicati giudicato nei noi nostro pensa pensiamo
    respinge rifiuta

    vinden wijzen zeggen zeiden czego jaka jaki jakie mówiliśmy mówimy myślimy nam odrzucamy oceniono powiedziano
    powinien powinna powinny sądzimy

    byl byla byly hodnoceny jaká jaké jaký jsme kdy mají myslíme proč schváleno zamítnuto zamítáme řekli

    говорили говорим думаем должен должна должно должны мы нам нас наш сказали сказано считаем
    відхиляємо думаємо казали мають ми якими

    biz bizim dedik düşünüyoruz hakkında nasıl olmalı reddediyoruz reddettik
    elutasítjuk elutasították gondolunk hogyan kell melyik mikor milyen miért mondtunk
    avslogs godkändes hur när varför hylättiin hyväksyttiin miksi milloin miten`,
  ),
])

/** Shorter words are too often like others: *made* is like *madera*. */
const LONG = 6
const LONG_ONES = [...ASKING_ELSEWHERE].filter((stem) => stem.length >= LONG)

/** Whether one asks by a word, given by its stem; in other languages than English also by another form of it. */
export function asks(stem: string, isEnglish: boolean): boolean {
  if (isEnglish) return ASKING.has(stem)
  return ASKING_ELSEWHERE.has(stem) || (stem.length >= LONG && LONG_ONES.some((each) => mayBeForms(each, stem)))
}
