import { normal, outerWords, wholeWords } from '../patterns/words/normal.ts';

/**
 * Words of acts that lose something or cannot be taken back, in the eleven languages of patterns/words. Verbs that always mean that count at the beginning
 * or the end of a name; words with harmless meanings, such as "format" or "send", only as a whole name or with what they are about.
 */
const FIRST = [
  'delete|remove|erase|discard|destroy|wipe|shred|purge|uninstall|overwrite|trash|move to trash|move to the trash|move to bin|empty trash|empty the trash|empty bin|empty wastebasket|empty rubbish bin|empty recycle bin|empty the recycle bin|move to wastebasket|move to rubbish bin|move to recycle bin|permanently delete',
  'lösche|löschen|entfernen|verwerfen|vernichten|deinstallieren|überschreiben|in den papierkorb|papierkorb leeren|verlauf leeren|chronik leeren',
  'supprimer|effacer|retirer|enlever|détruire|désinstaller|écraser|vider la corbeille|mettre à la corbeille|déplacer vers la corbeille|abandonner|tout abandonner',
  'eliminar|borrar|suprimir|quitar|descartar|destruir|desinstalar|sobrescribir|sobreescribir|vaciar la papelera|vaciar papelera|mover a la papelera',
  'elimina|cancella|rimuovi|abbandona|scarta|distruggi|disinstalla|sovrascrivi|svuota il cestino|svuota cestino|sposta nel cestino',
  'apagar|excluir|deletar|remover|descartar|destruir|desinstalar|sobrescrever|substituir ficheiro|esvaziar a lixeira|esvaziar lixeira|esvaziar o lixo|esvaziar lixo|mover para a lixeira|mover para lixeira|mover para o lixo',
  'verwijder|verwijderen|wissen|weggooien|verwerpen|vernietigen|de-installeren|deïnstalleren|overschrijven|prullenbak legen|naar prullenbak verplaatsen',
  'usuń|usuwanie plików|skasuj|kasuj|odrzuć|zniszcz|odinstaluj|nadpisz|opróżnij kosz|przenieś do kosza',
  'удалить|стереть|убрать|отбросить|уничтожить|деинсталлировать|перезаписать|очистить корзину|переместить в корзину',
].join('|');

/** At the end, as where the verb comes last. */
const LAST = [
  'delete|discard|erase|uninstall',
  'löschen|entfernen|verwerfen|vernichten|deinstallieren|überschreiben',
  'supprimer|effacer',
  'eliminar|borrar',
  'verwijderen|wissen|weggooien|verwerpen|overschrijven',
  'удалить|стереть',
].join('|');

/** Whole names. */
const WHOLE = [
  "don't save|do not save|close without saving|quit without saving|exit without saving|revert|revert to saved|revert changes|undo all changes|format|format disk|format drive|format volume|format partition|reset|reset all|reset all settings|reset to defaults|reset to factory settings|factory reset|restore factory settings|send|send now|send message|send email|send mail|send all|submit order|pay|pay now|buy|buy now|buy it now|purchase|purchase now|confirm purchase|complete purchase|place order|place your order|complete order|confirm order|order now|confirm payment|confirm and pay|agree and pay|send payment|transfer money|send money|clear history|clear all|clear all data|clear browsing data|force quit|kill|kill process|end process|end task|terminate|replace file|replace all files|cancel subscription|close account|deactivate account|leave group|drop table|drop database",
  'nicht speichern|ohne speichern schließen|schließen ohne speichern|schließen ohne zu speichern|schließen, ohne zu speichern|ohne speichern beenden|änderungen verwerfen|formatieren|laufwerk formatieren|partition formatieren|datenträger formatieren|alle verschicken|zurücksetzen|zurückstellen|auf standardwerte zurücksetzen|auf standardwerte zurückstellen|abschicken|auf werkseinstellungen zurücksetzen|senden|jetzt senden|nachricht senden|absenden|bezahlen|jetzt bezahlen|kaufen|jetzt kaufen|zahlungspflichtig bestellen|kostenpflichtig bestellen|jetzt kostenpflichtig bestellen|jetzt bestellen|bestellung bestätigen|bestätigen und bezahlen|zahlung bestätigen|bestellen|verlauf löschen|sofort beenden|prozess beenden|ersetzen und überschreiben|datei ersetzen',
  "ne pas enregistrer|fermer sans enregistrer|quitter sans enregistrer|formater|formater le disque|formater la partition|réinitialiser|rétablir les paramètres par défaut|terminer le processus|vider l'historique|tout envoyer|envoyer un message|envoyer|envoyer le message|payer|payer maintenant|acheter|acheter maintenant|commander|passer commande|passer la commande|confirmer la commande|valider la commande|confirmer et payer|valider et payer|forcer à quitter|remplacer le fichier",
  'no guardar|cerrar sin guardar|salir sin guardar|formatear|formatear disco|formatear partición|restablecer|enviar|enviar mensaje|pagar|pagar ahora|comprar|comprar ahora|realizar pedido|realizar el pedido|hacer pedido|confirmar pedido|confirmar compra|confirmar y pagar|forzar salida|finalizar proceso|restablecer valores predeterminados|limpiar el historial|enviar todo|enviar un mensaje|reemplazar archivo',
  'non salvare|chiudi senza salvare|esci senza salvare|formatta|formatta disco|formatta partizione|reimposta|ripristina predefiniti|cancella cronologia|termina processo|invia|invia tutto|spedisci|invia messaggio|paga|paga ora|acquista|acquista ora|compra|compra ora|effettua ordine|conferma ordine|conferma e paga|ordina ora|uscita forzata|sostituisci file',
  'não salvar|não guardar|não gravar|fechar sem salvar|fechar sem guardar|fechar sem gravar|sair sem salvar|limpar histórico|limpar o histórico|finalizar processo|terminar processo|terminar o processo|enviar todas|enviar todos|formatar|formatar disco|formatar partição|redefinir|repor|enviar mensagem|comprar agora|comprar|pagar|fazer pedido|confirmar pedido|confirmar compra|confirmar e pagar|finalizar pedido|finalizar compra|forçar encerramento|substituir arquivo',
  'niet opslaan|sluiten zonder opslaan|formatteren|schijf formatteren|partitie formatteren|opnieuw instellen|afsluiten zonder opslaan|proces beëindigen|alles versturen|verstuur bericht|verzenden|versturen|betalen|nu betalen|kopen|nu kopen|bestellen|nu bestellen|bestelling plaatsen|bestelling bevestigen|bevestigen en betalen|geforceerd afsluiten|bestand vervangen',
  'nie zapisuj|zamknij bez zapisywania|formatuj|sformatuj|sformatuj dysk|sformatuj partycję|resetuj|zresetuj|przywróć ustawienia fabryczne|wyślij|wyślij wiadomość|zapłać|zapłać teraz|kup|kup teraz|zamów|złóż zamówienie|potwierdź zamówienie|kupuję i płacę|zamawiam i płacę|wymuś zakończenie|zakończ proces|wyczyść historię|wyczyść wszystko|wyślij wszystko|zastąp plik',
  'не сохранять|закрыть без сохранения|форматировать|форматировать диск|форматировать раздел|сбросить|сбросить настройки|отправить|отправить сообщение|оплатить|купить|купить сейчас|заказать|оформить заказ|подтвердить заказ|подтвердить оплату|подтвердить и оплатить|завершить принудительно|завершить процесс|отказаться|отказаться от изменений|очистить историю|очистить всё|очистить все|сброс|заменить файл',
  '不保存|不储存|不儲存|格式化|重置|恢复出厂设置|恢復原廠設定|发送|發送|傳送|付款|支付|立即支付|购买|購買|立即购买|下单|立即下单|提交订单|确认订单|确认付款|确认支付|確認付款|强制退出|结束进程|全部丢弃|全部清除|全部发送|发送消息|发送信息|放弃|舍弃|关闭且不保存|关闭但不保存|关闭而不保存|不保存关闭|結束程序|替换文件',
  '保存しない|保存せずに閉じる|初期化|フォーマット|リセット|工場出荷時の状態に戻す|送信|送信する|メッセージの送信|支払う|購入|今すぐ購入|注文を確定|注文を確定する|注文する|購入する|購入を確定|購入を確定する|支払いを確定する|強制終了|ファイルを置き換える',
];

/** Chinese begins with the verb, Japanese ends with it, and neither writes words apart. */
const UNSPACED =
  /^(?:永久)?(?:删除|刪除|移除|清除|擦除|抹掉|丢弃|捨棄|放弃更改|卸载|解除安裝|覆盖|覆寫|清空|移动到回收站|移动到垃圾箱|移到回收站|移到废纸篓|移至垃圾桶|舍弃|放弃修改)(?![的了线線])|^(?:从|從).{1,12}(?:删除|刪除|移除)$|(?:^|を|の|から|すべて)(?:削除|消去|破棄|除去|上書き|アンインストール|ゴミ箱に移動|ゴミ箱へ移動|ゴミ箱を空に|空に)(?:する)?$/u;
const LONGEST_UNSPACED = 24;

const isOuter = outerWords(FIRST, LAST);
const isWhole = wholeWords(...WHOLE);

/** "Don't delete" keeps what "Delete" loses. */
const NEGATION =
  /(?<!\p{L})(?:don't|do not|never|not|nicht|kein|keine|keinen|ne|non|no|não|niet|geen|nie|не)(?!\p{L})|^(?:不|别|勿)|しない$|ません$/u;

/** Whether a name of something to press says that something is lost, sent or paid. */
export function isDestructiveName(name: string | undefined): boolean {
  if (name === undefined) return false;
  if (isWhole(name) || isWhole(withoutAmount(name))) return true;
  const isUnspaced = name.length <= LONGEST_UNSPACED && UNSPACED.test(normal(name));
  return (isUnspaced || isOuter(name)) && !NEGATION.test(normal(name));
}

/** What a menu is called in a menu bar, although a button of that name would lose something. */
export const isMenuTitle = wholeWords('format');

/** "Pay $12.00", "12,00 € bezahlen" */
const AMOUNT =
  /(?:^|\s)(?:(?:for|für|pour|por|per|voor|za|за)\s)?(?:\p{Sc}\s?\d[\d.,' ]*|\d[\d.,' ]*(?:\p{Sc}|usd|eur|gbp|chf|jpy|pln|rub)(?!\p{L}))(?:\s|$)/u;

function withoutAmount(name: string): string {
  return normal(name).replace(AMOUNT, ' ');
}

const TRASH = wholeWords(
  'trash|trash can|rubbish bin|recycle bin|bin|wastebasket|waste basket|deleted items',
  'papierkorb|mülleimer|corbeille|papelera|papelera de reciclaje|cestino|lixo|lixeira|reciclagem|prullenbak|prullenmand|kosz|корзина',
  '回收站|废纸篓|垃圾桶|資源回收筒|ゴミ箱',
);

/** Whether a name is that of the place where deleted files go. */
export function isTrash(name: string): boolean {
  return TRASH(name);
}
