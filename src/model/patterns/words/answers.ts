import { leadsFurther, outerWords, wholeWords, wordsWithin } from './normal.ts';

/**
 * Names of buttons in eleven languages: English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Russian, Chinese, Japanese. Words decide only
 * where the structure leaves it open.
 */
export const isCancel = wholeWords(
  'cancel|abbrechen|annuler|cancelar|annulla|annuleren|anuluj|отмена|отменить|取消|キャンセル|中止',
);

export const isClose = wholeWords(
  'close|dismiss|done|schließen|fertig|fermer|cerrar|listo|chiudi|fine|fechar|concluído|sluiten|gereed|zamknij|gotowe|закрыть|готово|关闭|關閉|完成|閉じる|完了',
);

export const isOk = wholeWords(
  "ok|okay|got it|understood|d'accord|aceptar|va bene|ок|确定|確定|好|了解|はい",
);

export const isHelp = wholeWords('help|hilfe|aide|ayuda|aiuto|ajuda|pomoc|справка|помощь|帮助|說明|ヘルプ');

export const isRetry = wordsWithin(
  'retry|try again|erneut|wiederholen|nochmal|réessayer|reintentar|riprova|tentar novamente|tentar de novo|opnieuw|ponów|spróbuj|повторить|重试|重試|再試行',
);

export const isDetails = wordsWithin(
  'details|more info|einzelheiten|détails|detalles|dettagli|detalhes|szczegóły|подробн|详细|詳細',
);

export const isSave = wholeWords(
  'save|save as|save file|export|speichern|speichern unter|exportieren|enregistrer|enregistrer sous|exporter|guardar|guardar como|exportar|salva|salva con nome|esporta|salvar|salvar como|opslaan|opslaan als|exporteren|zapisz|zapisz jako|eksportuj|сохранить|сохранить как|экспорт|保存|另存为|存储|儲存|另存新檔|导出|匯出|名前を付けて保存|書き出し',
);

export const isOpen = wholeWords(
  'open|open file|import|load|select|select file|choose|choose file|add|attach|upload|öffnen|importieren|laden|auswählen|wählen|hinzufügen|ouvrir|importer|charger|sélectionner|choisir|ajouter|abrir|importar|cargar|seleccionar|elegir|añadir|apri|importa|carica|seleziona|scegli|aggiungi|carregar|selecionar|escolher|adicionar|openen|importeren|selecteren|kiezen|toevoegen|otwórz|importuj|wczytaj|wybierz|dodaj|открыть|импорт|загрузить|выбрать|добавить|打开|開啟|导入|匯入|选择|選擇|选取|添加|開く|読み込み|選択|追加',
);

/** What accepts a dialog without saying what it does. */
export const isApply = wholeWords(
  'apply|restore defaults|reset|übernehmen|anwenden|zurücksetzen|standardwerte|appliquer|réinitialiser|aplicar|restablecer|applica|ripristina|repor|restaurar|toepassen|herstellen|zastosuj|przywróć|применить|сброс|应用|套用|重置|適用|リセット|初期値に戻す',
);

export const signsIn = wordsWithin(
  'sign in|signin|sign on|log in|login|log on|logon|unlock|connect|quickconnect|authenticate|anmelden|einloggen|anmeldung|entsperren|verbinden|authentifizieren|se connecter|connexion|connecter|identifier|déverrouiller|iniciar sesión|acceder|entrar|desbloquear|conectar|ingresar|accedi|entra|sblocca|connetti|iniciar sessão|inloggen|aanmelden|ontgrendel|zaloguj|odblokuj|połącz|войти|вход|разблокировать|подключ|登录|登入|登錄|解锁|解鎖|连接|連線|ログイン|サインイン|ロックを解除|ロック解除|接続',
);

/** What takes the content along and accepts nothing. */
export const isCopy = wholeWords(
  'copy|copy to clipboard|kopieren|copier|copiar|copia|kopiëren|kopiuj|копировать|复制|複製|コピー',
);

export const isStop = wholeWords(
  'stop|pause|abort|skip|hide|background|anhalten|pause|stopp|stoppen|arrêter|suspendre|detener|parar|pausar|interrompi|ferma|pausa|interromper|onderbreken|zatrzymaj|wstrzymaj|przerwij|остановить|стоп|пауза|прервать|停止|暂停|暫停|一時停止',
);

const opensWithAccepting = outerWords(
  'submit|send|create|save|rename|register|sign up|join|publish|post|continue|next|finish|proceed|accept|agree|confirm|place order|order now|pay|buy|book|reserve|subscribe|update|insert|attach|import|export|convert|extract|compress|encrypt|replace all|print|apply|resize|yes|jump to|go to' +
    "envoyer|créer|enregistrer|renommer|s'inscrire|publier|continuer|suivant|terminer|accepter|confirmer|valider|commander|payer|acheter|réserver|s'abonner|insérer|joindre|oui|" +
    'enviar|crear|guardar|renombrar|registrarse|registrar|publicar|continuar|siguiente|finalizar|confirmar|pedir|pagar|comprar|reservar|insertar|sí|' +
    'invia|crea|salva|rinomina|registrati|pubblica|continua|avanti|accetta|conferma|ordina|paga|acquista|prenota|inserisci|sì|' +
    'criar|salvar|renomear|cadastrar|seguinte|próximo|avançar|concluir|aceitar|encomendar|inserir|sim|' +
    'wyślij|utwórz|zapisz|zmień nazwę|zarejestruj|opublikuj|kontynuuj|dalej|zakończ|akceptuj|potwierdź|zamów|zapłać|kup|zarezerwuj|wstaw|tak|' +
    'отправить|создать|сохранить|переименовать|зарегистрироваться|опубликовать|продолжить|далее|принять|подтвердить|заказать|оплатить|купить|забронировать|вставить|да|' +
    'weiter|verstuur|verzenden|volgende|doorgaan|ja|' +
    '提交|发送|發送|创建|創建|建立|保存|重命名|注册|註冊|发布|發布|继续|繼續|下一步|完成|接受|确认|確認|支付|购买|購買|预订|插入|是',
  'senden|absenden|abschicken|erstellen|anlegen|speichern|umbenennen|registrieren|veröffentlichen|fortfahren|weiter|annehmen|akzeptieren|bestätigen|bestellen|bezahlen|kaufen|buchen|reservieren|einfügen|ja|' +
    'versturen|verzenden|aanmaken|maken|opslaan|hernoemen|registreren|publiceren|accepteren|bevestigen|bestellen|betalen|kopen|boeken|reserveren|invoegen|' +
    '送信|作成|保存|名前を変更|登録|公開|続ける|次へ|同意する|確認|注文|支払う|購入|予約|挿入',
);

/** What accepts what was filled in, without asking further. */
export const accepts = (name: string | undefined): boolean =>
  (isOk(name) || opensWithAccepting(name)) && !leadsFurther(name ?? '');

/** A step of several is not an answer. */
export const isStep = wholeWords(
  'next|back|previous|forward|finish|weiter|zurück|fertigstellen|suivant|précédent|terminer|siguiente|atrás|anterior|finalizar|avanti|indietro|fine|seguinte|próximo|avançar|concluir|volgende|vorige|voltooien|dalej|wstecz|zakończ|далее|назад|вперёд|下一步|上一步|次へ|戻る',
);

/** Buttons of a title bar that some toolkits put among the others. */
export const isWindowButton = wholeWords(
  'minimize|maximize|restore|minimise|maximise|minimieren|maximieren|réduire|agrandir|minimizar|maximizar|minimizza|massimizza|minimaliseren|maximaliseren|zminimalizuj|zmaksymalizuj|свернуть|развернуть|最小化|最大化',
);
