import type { ReactNode } from "react";
import { cn } from "#lib/cn.ts";

interface IconProps {
  className?: string;
  "aria-hidden"?: boolean;
  "aria-label"?: string | undefined;
}

export type IconType = (props: IconProps) => ReactNode;

/** The URL changes with the content, so browsers cache it for good; see `npm run check icons`. */
const SPRITE = "/icons.svg?fa00c4";

/**
 * An icon of Lucide by its name there, hidden from screen readers unless it has a label. `.icon` in
 * globals.css draws it. Pages only refer to the sprite, because the shapes made each of them 10 to
 * 25 KB larger.
 */
const icon = (name: string): IconType =>
  function Icon({ className, ...props }) {
    return (
      <svg
        aria-hidden={props["aria-label"] === undefined}
        {...props}
        className={cn("icon", className)}
      >
        <use href={`${SPRITE}#${name}`} />
      </svg>
    );
  };

export const AlarmClock = icon("AlarmClock");
export const ArrowDown = icon("ArrowDown");
export const ArrowDownWideNarrow = icon("ArrowDownWideNarrow");
export const ArrowLeft = icon("ArrowLeft");
export const ArrowLeftRight = icon("ArrowLeftRight");
export const ArrowRight = icon("ArrowRight");
export const ArrowUp = icon("ArrowUp");
export const ArrowUpRight = icon("ArrowUpRight");
export const BadgeCheck = icon("BadgeCheck");
export const Ban = icon("Ban");
export const BellIcon = icon("BellIcon");
export const BellOff = icon("BellOff");
export const BookOpen = icon("BookOpen");
export const Bookmark = icon("Bookmark");
export const BookmarkPlus = icon("BookmarkPlus");
export const BookmarkX = icon("BookmarkX");
export const CalendarClock = icon("CalendarClock");
export const CalendarHeart = icon("CalendarHeart");
export const CalendarOff = icon("CalendarOff");
export const ChartNoAxesCombined = icon("ChartNoAxesCombined");
export const Check = icon("Check");
export const ChevronDown = icon("ChevronDown");
export const ChevronLeft = icon("ChevronLeft");
export const ChevronRight = icon("ChevronRight");
export const ChevronsUpDown = icon("ChevronsUpDown");
export const Circle = icon("Circle");
export const CircleAlert = icon("CircleAlert");
export const CircleCheck = icon("CircleCheck");
export const CircleDashed = icon("CircleDashed");
export const CircleHelp = icon("CircleHelp");
export const CircleOff = icon("CircleOff");
export const CirclePause = icon("CirclePause");
export const CirclePlay = icon("CirclePlay");
export const CirclePlus = icon("CirclePlus");
export const CircleX = icon("CircleX");
export const Clock3 = icon("Clock3");
export const CloudOff = icon("CloudOff");
export const Columns3 = icon("Columns3");
export const Compass = icon("Compass");
export const Construction = icon("Construction");
export const CookieIcon = icon("CookieIcon");
export const Copy = icon("Copy");
export const Crown = icon("Crown");
export const Download = icon("Download");
export const Ellipsis = icon("Ellipsis");
export const Equal = icon("Equal");
export const EqualNot = icon("EqualNot");
export const ExternalLink = icon("ExternalLink");
export const Eye = icon("Eye");
export const EyeOff = icon("EyeOff");
export const FastForward = icon("FastForward");
export const FileClock = icon("FileClock");
export const FileQuestion = icon("FileQuestion");
export const FileX = icon("FileX");
export const FlaskConical = icon("FlaskConical");
export const FlaskConicalOff = icon("FlaskConicalOff");
export const HandCoins = icon("HandCoins");
export const Headset = icon("Headset");
export const History = icon("History");
export const Hourglass = icon("Hourglass");
export const House = icon("House");
export const Inbox = icon("Inbox");
export const Info = icon("Info");
export const KeyRound = icon("KeyRound");
export const Keyboard = icon("Keyboard");
export const Languages = icon("Languages");
export const Layers = icon("Layers");
export const LifeBuoy = icon("LifeBuoy");
export const Link2 = icon("Link2");
export const Link2Off = icon("Link2Off");
export const List = icon("List");
export const ListChecks = icon("ListChecks");
export const ListFilter = icon("ListFilter");
export const ListTodo = icon("ListTodo");
export const ListX = icon("ListX");
export const LoaderCircle = icon("LoaderCircle");
export const LockKeyhole = icon("LockKeyhole");
export const LogOut = icon("LogOut");
export const MailCheck = icon("MailCheck");
export const MailIcon = icon("MailIcon");
export const MailOpen = icon("MailOpen");
export const MailX = icon("MailX");
export const MessageCircle = icon("MessageCircle");
export const MessageSquareText = icon("MessageSquareText");
export const MessagesSquare = icon("MessagesSquare");
export const Minus = icon("Minus");
export const Monitor = icon("Monitor");
export const Moon = icon("Moon");
export const NotebookPen = icon("NotebookPen");
export const Package = icon("Package");
export const PackageOpen = icon("PackageOpen");
export const PackageX = icon("PackageX");
export const Pause = icon("Pause");
export const Pencil = icon("Pencil");
export const Phone = icon("Phone");
export const Play = icon("Play");
export const Plus = icon("Plus");
export const Printer = icon("Printer");
export const QrCodeIcon = icon("QrCodeIcon");
export const RefreshCw = icon("RefreshCw");
export const Repeat = icon("Repeat");
export const RotateCcw = icon("RotateCcw");
export const RotateCw = icon("RotateCw");
export const ScrollText = icon("ScrollText");
export const Search = icon("Search");
export const SearchCheck = icon("SearchCheck");
export const SearchX = icon("SearchX");
export const Send = icon("Send");
export const SettingsIcon = icon("SettingsIcon");
export const Share = icon("Share");
export const ShieldAlert = icon("ShieldAlert");
export const ShieldCheck = icon("ShieldCheck");
export const ShieldOff = icon("ShieldOff");
export const ShieldQuestionMark = icon("ShieldQuestionMark");
export const ShieldX = icon("ShieldX");
export const SkipForward = icon("SkipForward");
export const SlidersHorizontal = icon("SlidersHorizontal");
export const Store = icon("Store");
export const TimerOff = icon("TimerOff");
export const TimerReset = icon("TimerReset");
export const Trash2 = icon("Trash2");
export const TrendingDown = icon("TrendingDown");
export const TrendingUp = icon("TrendingUp");
export const TriangleAlert = icon("TriangleAlert");
export const Undo2 = icon("Undo2");
export const Unlink = icon("Unlink");
export const Unplug = icon("Unplug");
export const User = icon("User");
export const UserPlus = icon("UserPlus");
export const UserRound = icon("UserRound");
export const UserRoundCheck = icon("UserRoundCheck");
export const UserRoundPlus = icon("UserRoundPlus");
export const UserRoundSearch = icon("UserRoundSearch");
export const UserRoundX = icon("UserRoundX");
export const UserX = icon("UserX");
export const Users = icon("Users");
export const UsersRound = icon("UsersRound");
export const WebhookIcon = icon("WebhookIcon");
export const WifiOff = icon("WifiOff");
export const X = icon("X");
