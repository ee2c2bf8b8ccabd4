import { stemsOf } from '../../memory/words/tokenize.ts'

/** The stems of words by which one asks what was judged, and of common words of questions, in the languages asked most. */
export const ASKING: ReadonlySet<string> = new Set(
  stemsOf(
    `about accept accepted any approval approve approved consider considered could criticise criticised criticism
    criticize criticized decide decided decision decline did do does feedback gave get give given had how i judge judged
    judgment judgments like made make many me more my opinion oppose opposed our praise praised refuse reject rejected
    rejection review reviewed reviewer reviewers reviews said say saw see seen should some tell than their them there they
    think thought told us usually very view views was we were what when where which who whom whose why will without would
    you your

    warum wieso weshalb welche welcher welches welchen wann wie viele wer wurde wurden werden worden es gibt
    grund gründe gründen abgelehnt abgelehnte abgelehnten ablehnen abzulehnen ablehnung genehmigt genehmigen
    genehmigung freigegeben freigeben entschieden entscheiden entscheidung beurteilt bewertet sagt sagte sagen

    pourquoi quand combien quel quelle quels quelles ont elle elles été raison raisons refusé refusée refusés
    refusées rejeté rejetée rejetés rejetées rejet refus approuvé approuvée approuvés approuvées validé décidé décision

    cuándo cómo qué cuál cuáles cuántos cuántas quién fue fueron rechazado rechazada rechazados rechazadas rechazó rechazaron
    aprobado aprobada aprobados aprobadas aprobó aprobaron razón razones decidió motivo motivos
    quando quais quantos quantas foi foram rejeitado rejeitada rejeitados rejeitadas aprovado aprovada aprovados aprovadas

    perché quali quale sono respinto respinta respinti respinte rifiutato rifiutata rifiutati
    rifiutate approvato approvata approvati approvate motivi
    waarom wanneer welke werd afgewezen afgekeurd goedgekeurd dlaczego kiedy które odrzucono odrzucony zatwierdzono

    почему зачем когда какие какой сколько был была было были отклонили отклонил отклонён отклонен отклонена отклонены
    отклонено одобрили одобрил одобрен одобрена одобрены одобрено причина причины решили
    чому коли які відхилили відхилено схвалили схвалено

    neden niçin niye hangi zaman kaç reddedildi reddedilir reddedilen reddedildiler onaylandı onaylanır
    لماذا متى كيف كم هل ماذا تم رفض رفضت رفضوا رفضه قبول قبلت سبب أسباب
    なぜ どうして いつ 却下 承認 理由 ました ます`,
  ),
)
